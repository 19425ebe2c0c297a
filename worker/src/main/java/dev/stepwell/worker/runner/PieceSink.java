package dev.stepwell.worker.runner;

import java.io.IOException;

/** Takes the new pieces that a step uploads, in order. Called on the thread that runs the step. */
@FunctionalInterface
public interface PieceSink {
  /** Drops everything, for steps that leave no state. */
  PieceSink NONE = (bytes, from, length) -> {};

  /**
   * Takes a piece of 1 to 524288 bytes.
   *
   * @throws IOException if it can't be kept; the step then leaves no state
   */
  void add(byte[] bytes, int from, int length) throws IOException;
}
