package dev.stepwell.worker.state;

import java.io.IOException;

/**
 * Takes in the new pieces of one step, hashing them on the way. Not thread-safe.
 *
 * <p>What it took stays readable through {@link Pieces#read} until {@link #close}, however full the
 * cache is; afterwards it is cached like everything else.
 */
public interface NewPieces extends AutoCloseable {
  /**
   * Takes a piece.
   *
   * @return the piece, without a location
   * @throws IOException if the cache's disk fails or is full
   */
  Piece add(byte[] bytes, int from, int length) throws IOException;

  /** Ends the intake; idempotent. To be called once the pieces are durable, or given up. */
  @Override
  void close();
}
