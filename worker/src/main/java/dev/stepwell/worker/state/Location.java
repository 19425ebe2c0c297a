package dev.stepwell.worker.state;

/** Where a committed piece can be read; immutable. */
public sealed interface Location {
  /** When it was put there, in milliseconds since the epoch. */
  long writtenAtMs();

  /**
   * In the blob topic: a range of the bytes of consecutive records.
   *
   * @param partition the partition
   * @param offset the offset of the first record
   * @param records how many records, at least 1; their values follow one another
   * @param start where the piece begins in them, bytes
   */
  record InTopic(int partition, long offset, int records, int start, long writtenAtMs)
      implements Location {}

  /** In the object store, under the piece's name. */
  record InStore(long writtenAtMs) implements Location {}
}
