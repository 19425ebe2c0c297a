package dev.stepwell.worker.state;

import java.io.IOException;
import java.util.List;

/** Where pieces are durable. Thread-safe. */
interface PieceSource {
  /** Takes pieces as they come; called on the thread that asked for them. */
  @FunctionalInterface
  interface Receiver {
    /**
     * Takes one.
     *
     * @param bytes what was found, not checked; the receiver may keep it
     * @throws SnapshotException if it is not what was committed
     * @throws IOException if it can't be kept
     */
    void take(Piece piece, byte[] bytes) throws SnapshotException, IOException;
  }

  /**
   * Reads pieces, each of them once, in any order. Blocks.
   *
   * @param pieces different pieces with locations
   * @throws SnapshotException if one can't be had; others may have been handed over
   * @throws IOException what the receiver threw
   */
  void read(List<Piece> pieces, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException;
}
