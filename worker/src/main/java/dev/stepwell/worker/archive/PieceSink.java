package dev.stepwell.worker.archive;

import java.io.IOException;

/** Takes the bytes of pieces as they come, on the thread that asked for them. */
@FunctionalInterface
public interface PieceSink {
  /**
   * Takes a piece.
   *
   * @param id its name, the SHA-256 of the bytes, which has been checked
   * @param bytes the receiver's own
   * @throws IOException if it can't be kept; ends the reading
   */
  void take(String id, byte[] bytes) throws IOException;
}
