package dev.stepwell.cli.process;

/** What commands exit with. Signals end them with 128 and the signal's number, as everywhere. */
public final class ExitCodes {
  /** All went as it should. */
  public static final int OK = 0;

  /** A step or a task did not succeed, for a reason that is its own. */
  public static final int FAILED = 1;

  /** The command could not do its work: wrong usage, no broker, no sandbox, our own failure. */
  public static final int COULD_NOT_RUN = 2;

  private ExitCodes() {}
}
