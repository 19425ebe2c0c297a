package dev.stepwell.worker.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives a runner the pieces that its step's snapshot refers to, by their places in the snapshot's
 * table. Blocks while pieces are fetched.
 *
 * <p>What the step needs at once is asked for on the thread that runs it; what it asks for later,
 * on another, by one thread at a time. That one may still be at it when the step has ended, but not
 * for longer than the fetch takes: the folder may be gone by then.
 */
public interface PieceSupply {
  /** Supplies nothing, for steps without a snapshot. */
  PieceSupply NONE =
      new PieceSupply() {
        @Override
        public List<PlacedPiece> place(List<Integer> indexes, Path folder) throws IOException {
          throw new IOException("there is no snapshot");
        }

        @Override
        public byte[] read(int index) throws IOException {
          throw new IOException("there is no snapshot");
        }
      };

  /**
   * Puts pieces into the sandbox's folder.
   *
   * @param indexes valid places in the table
   * @return where each is, in this order
   * @throws IOException if one can't be had; the message says why
   */
  List<PlacedPiece> place(List<Integer> indexes, Path folder)
      throws IOException, InterruptedException;

  /**
   * Reads one piece, for sandboxes without such a folder.
   *
   * @throws IOException if it can't be had; the message says why
   */
  byte[] read(int index) throws IOException, InterruptedException;
}
