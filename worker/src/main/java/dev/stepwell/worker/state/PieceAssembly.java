package dev.stepwell.worker.state;

/** One piece that is put together from the records that hold it. Used by one thread. */
final class PieceAssembly {
  private static final byte[] NONE = {};

  private final Piece piece;
  private final Location.InTopic location;

  /** Not there before its first record and after it was handed over: a run can be very long. */
  private byte[] bytes = NONE;

  private long nextOffset;

  /** How many bytes came before the next record. */
  private long passed;

  private int filled;

  PieceAssembly(Piece piece) {
    if (!(piece.location() instanceof Location.InTopic inTopic)) {
      throw new IllegalArgumentException("not in the topic: " + piece);
    }
    this.piece = piece;
    this.location = inTopic;
    this.nextOffset = inTopic.offset();
  }

  Piece piece() {
    return piece;
  }

  Location.InTopic location() {
    return location;
  }

  /** The offset after its last record. */
  long end() {
    return location.offset() + location.records();
  }

  /**
   * Takes what belongs to it from a record at or after its first one; records come in order.
   *
   * @return whether it is complete
   * @throws SnapshotException if it can't become complete any more
   */
  boolean take(long offset, byte[] value) throws SnapshotException {
    if (offset != nextOffset) {
      throw damaged("a record of it is missing");
    }
    nextOffset++;
    if (bytes.length == 0) {
      bytes = new byte[piece.bytes()];
    }
    long from = Math.max(0, location.start() - passed);
    passed += value.length;
    if (from < value.length) {
      int length = (int) Math.min(value.length - from, bytes.length - filled);
      System.arraycopy(value, (int) from, bytes, filled, length);
      filled += length;
    }
    if (filled < bytes.length && nextOffset == end()) {
      throw damaged("its records end before it does");
    }
    return filled == bytes.length;
  }

  /** Gives the piece away, once it is complete. */
  byte[] handOver() {
    byte[] complete = bytes;
    bytes = NONE;
    return complete;
  }

  private SnapshotException damaged(String reason) {
    return new SnapshotException(
        "piece %s is not at offset %d of partition %d: %s"
            .formatted(piece.id().hex(), location.offset(), location.partition(), reason),
        null,
        true);
  }
}
