package dev.stepwell.cli.eval;

import java.util.Arrays;

/**
 * How many tasks went how; immutable.
 *
 * @param passed as expected
 * @param failed not as expected
 * @param infrastructure without a verdict
 */
public record Tally(int passed, int failed, int infrastructure) {
  static final Tally NONE = new Tally(0, 0, 0);

  /** How many there are. */
  public int total() {
    return passed + failed + infrastructure;
  }

  Tally plus(Status status) {
    return switch (status) {
      case PASSED -> new Tally(passed + 1, failed, infrastructure);
      case FAILED -> new Tally(passed, failed + 1, infrastructure);
      case INFRASTRUCTURE -> new Tally(passed, failed, infrastructure + 1);
    };
  }

  @Override
  public String toString() {
    return "%d passed, %d failed, %d infrastructure".formatted(passed, failed, infrastructure);
  }

  /**
   * The smallest of the values that so great a part of them does not exceed.
   *
   * @param sorted at least one value, in ascending order
   * @param part above 0, at most 1
   */
  static double quantile(double[] sorted, double part) {
    int rank = (int) Math.ceil(part * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }

  /** "p50 1.0 ms, p90 ..." of some latencies in milliseconds. */
  static String quantiles(double[] latenciesMs) {
    if (latenciesMs.length == 0) {
      return "none";
    }
    double[] sorted = latenciesMs.clone();
    Arrays.sort(sorted);
    return "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms"
        .formatted(
            quantile(sorted, 0.5),
            quantile(sorted, 0.9),
            quantile(sorted, 0.99),
            sorted[sorted.length - 1]);
  }
}
