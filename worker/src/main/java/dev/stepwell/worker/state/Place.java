package dev.stepwell.worker.state;

/**
 * Where a bundle of objects begins in the blob topic; immutable. A bundle is cut into records of
 * {@link #RECORD_BYTES}, so a position in it says which records it lies in.
 *
 * @param partition the partition
 * @param offset the offset of the first record
 * @param writtenAtMs when it was written, milliseconds since the epoch
 */
public record Place(int partition, long offset, long writtenAtMs) {
  /** What a record holds of a bundle: below every usual limit on messages. */
  public static final int RECORD_BYTES = 768 << 10;

  /** Stands in a bundle for the bundle itself, whose offset nobody knows when it is made. */
  private static final int SELF = -1;

  /** The place of something in the bundle that is being made. */
  static Location.InTopic within(int start) {
    return new Location.InTopic(SELF, 0, 1, start, 0);
  }

  static boolean isWithin(Location.InTopic location) {
    return location.partition() == SELF;
  }

  /**
   * Where something in this bundle is.
   *
   * @param start where it begins in the bundle, bytes
   * @param bytes its size
   */
  public Location.InTopic of(int start, int bytes) {
    int first = start / RECORD_BYTES;
    int last = Math.max(start, start + bytes - 1) / RECORD_BYTES;
    return new Location.InTopic(
        partition, offset + first, last - first + 1, start % RECORD_BYTES, writtenAtMs);
  }

  /**
   * Where something in the same bundle as another object is: so many bytes before it. All records
   * of a bundle but its last are full, so bytes can be counted across them.
   */
  static Location.InTopic before(Location.InTopic object, int distance, int bytes) {
    long position = (long) object.start() - distance;
    long recordsBack = Math.floorDiv(position, (long) RECORD_BYTES);
    Place record =
        new Place(object.partition(), object.offset() + recordsBack, object.writtenAtMs());
    return record.of((int) Math.floorMod(position, (long) RECORD_BYTES), bytes);
  }

  /** The same location, told absolutely. */
  public Location resolve(Location location, int bytes) {
    return location instanceof Location.InTopic topic ? resolve(topic, bytes) : location;
  }

  /** The same location, told absolutely. */
  public Location.InTopic resolve(Location.InTopic location, int bytes) {
    return isWithin(location) ? of(location.start(), bytes) : location;
  }

  /** The same object, its place told absolutely. */
  public Stored resolve(Stored stored) {
    return new Stored(stored.id(), stored.bytes(), resolve(stored.at(), stored.bytes()));
  }

  /** The same piece, its place told absolutely. */
  public Piece resolve(Piece piece) {
    Location at = piece.location();
    return at == null ? piece : piece.at(resolve(at, piece.bytes()));
  }
}
