package dev.stepwell.worker.state;

import java.util.Map;

/**
 * Pieces that can't leave the cache for now, since somebody reads them; immutable. To be closed
 * once.
 *
 * @param index where they are pinned
 * @param slots where they lie, by name
 */
record Holding(ExtentIndex index, Map<PieceId, Slot> slots) implements AutoCloseable {
  /** Where a piece lies that is held. */
  Slot slot(Piece piece) throws SnapshotException {
    Slot slot = slots.get(piece.id());
    if (slot == null) {
      throw new IllegalArgumentException("not held: " + piece);
    }
    if (slot.bytes() != piece.bytes()) {
      throw new SnapshotException(
          "piece %s has %d bytes, not %d".formatted(piece.id().hex(), slot.bytes(), piece.bytes()),
          null,
          true);
    }
    return slot;
  }

  @Override
  public void close() {
    index.unpin(slots.values());
  }
}
