package dev.stepwell.cli.log;

/**
 * Where a log ends before its end; immutable.
 *
 * @param position how many bytes of the file are good
 * @param reason what is wrong behind them, for people
 */
public record Tear(long position, String reason) {
  /** Where recording was stopped before its end. */
  static Tear stopped(long position) {
    return new Tear(position, "the recording was stopped before its end");
  }
}
