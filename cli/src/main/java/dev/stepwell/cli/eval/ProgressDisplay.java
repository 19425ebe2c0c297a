package dev.stepwell.cli.eval;

/** Shows how far an evaluation is; called by one thread. */
interface ProgressDisplay extends AutoCloseable {
  /** Shows a tally. */
  void show(Tally tally);

  /** Ends the display, leaving the place to what comes after. */
  @Override
  void close();
}
