package dev.stepwell.worker.state;

import org.jspecify.annotations.Nullable;

/**
 * A run of opaque bytes that snapshots are made of; immutable.
 *
 * @param id its name
 * @param bytes its size, 1 to {@link #MAX_BYTES}
 * @param location where it is durable; null while it is only in this worker's cache, before the
 *     transaction that carries it
 */
public record Piece(PieceId id, int bytes, @Nullable Location location) {
  /** The largest piece: a multiple of every page size, and far below Kafka's usual message size. */
  public static final int MAX_BYTES = 512 << 10;

  public Piece {
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException("a piece of " + bytes + " bytes");
    }
  }

  /** The same piece, now durable. */
  public Piece at(Location durable) {
    return new Piece(id, bytes, durable);
  }
}
