package dev.stepwell.cli.eval;

import java.util.List;

/**
 * What came of an evaluation; immutable.
 *
 * @param tally the counts
 * @param unpassed the first verdicts other than passed
 * @param latenciesMs of each task, in milliseconds
 * @param elapsedSeconds from the first request to the last verdict
 */
@SuppressWarnings("ArrayRecordComponent") // Thousands of numbers, and nobody compares reports.
public record Report(
    Tally tally, List<String> unpassed, double[] latenciesMs, double elapsedSeconds) {
  /** The lines to print. */
  public List<String> lines() {
    return List.of(
        tally.total() + " tasks: " + tally,
        "rate: %.1f tasks/s over %.1f s".formatted(tally.total() / elapsedSeconds, elapsedSeconds),
        "latency: " + Tally.quantiles(latenciesMs));
  }
}
