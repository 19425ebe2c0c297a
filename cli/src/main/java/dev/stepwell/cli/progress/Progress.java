package dev.stepwell.cli.progress;

/** Shows how far a long command is; thread-safe. Never blocks for long, never throws. */
public interface Progress extends AutoCloseable {
  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void done(String label) {}

        @Override
        public void skipped(long count) {}

        @Override
        public void part(double part) {}

        @Override
        public void note(String line) {}

        @Override
        public void close() {}
      };

  /**
   * One more is done.
   *
   * @param label how it went, one of a few: {@code passed}, {@code different}
   */
  void done(String label);

  /** So many were done before an interruption: they count as done, but not for the rate. */
  void skipped(long count);

  /** How much of the whole is done, 0 to 1, where nobody knows how many there are. */
  void part(double part);

  /** A line that stays. */
  void note(String line);

  /** Shows the last counts. */
  @Override
  void close();
}
