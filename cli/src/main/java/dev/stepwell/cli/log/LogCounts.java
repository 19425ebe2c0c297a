package dev.stepwell.cli.log;

/**
 * What a log says at its end beyond what can be counted in it; immutable.
 *
 * @param sessions how many sessions its requests name
 * @param unanswered requests whose result is not in it
 * @param withoutRequest results of the range that were left out because their request is not in it
 * @param stopped whether recording ended before its end
 */
public record LogCounts(long sessions, long unanswered, long withoutRequest, boolean stopped) {
  /** Where nobody has counted: whoever records to the end does. */
  public static final LogCounts NONE = new LogCounts(0, 0, 0, true);
}
