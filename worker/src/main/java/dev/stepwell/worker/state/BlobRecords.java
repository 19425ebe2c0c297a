package dev.stepwell.worker.state;

/** Reads records of the blob topic. Thread-safe. */
@FunctionalInterface
public interface BlobRecords {
  /**
   * Reads consecutive records; blocks.
   *
   * @param offset the first record's
   * @param records how many, at least 1
   * @return their values, one after the other
   * @throws SnapshotException if they can't be read; permanent if they are gone
   */
  byte[] read(int partition, long offset, int records)
      throws SnapshotException, InterruptedException;
}
