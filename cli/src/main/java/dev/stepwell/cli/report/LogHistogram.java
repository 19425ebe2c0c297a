package dev.stepwell.cli.report;

/**
 * Counts durations in buckets that grow by a constant factor, so that any quantile of any number of
 * them is known to {@value #MAX_ERROR} of its value in a few kilobytes. Owned by one thread.
 *
 * <p>What it holds doesn't depend on the order of what was added. Durations below {@value
 * #SMALLEST_MS} ms count as alike, and so do those above {@value #LARGEST_MS} ms; the least and the
 * greatest are exact.
 */
public final class LogHistogram {
  /** How far a quantile may be off, as a part of it, between the two bounds. */
  public static final double MAX_ERROR = 0.025;

  static final double SMALLEST_MS = 0.01;
  static final double LARGEST_MS = 1e9;

  private static final double LOG_GROWTH = Math.log(1.05);
  private static final int BUCKETS = bucket(LARGEST_MS) + 1;

  private final long[] counts = new long[BUCKETS];
  private long count;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /**
   * Counts a duration.
   *
   * @param ms milliseconds; a negative one, which the clocks of two machines can make, counts as 0
   * @throws IllegalArgumentException if it is no number or infinite
   */
  public void add(double ms) {
    if (!Double.isFinite(ms)) {
      throw new IllegalArgumentException(ms + " is no duration in milliseconds");
    }
    double positive = Math.max(0.0, ms);
    counts[bucket(positive)]++;
    count++;
    min = Math.min(min, positive);
    max = Math.max(max, positive);
  }

  /** Counts all that another one has counted, which stays as it is. */
  public void addAll(LogHistogram other) {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      counts[bucket] += other.counts[bucket];
    }
    count += other.count;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  /** How many it has counted. */
  public long count() {
    return count;
  }

  /** The greatest, milliseconds, exact; 0 where there is none. */
  public double maxMs() {
    return count == 0 ? 0 : max;
  }

  /**
   * The smallest duration that so great a part of them does not exceed, milliseconds; 0 where there
   * is none.
   *
   * @param part 0 to 1
   * @throws IllegalArgumentException if it is not
   */
  public double quantileMs(double part) {
    if (!(part >= 0 && part <= 1)) {
      throw new IllegalArgumentException(part + " is no part of a whole: 0 to 1");
    }
    if (count == 0) {
      return 0;
    }
    long rank = Math.max(1, (long) Math.ceil(part * count));
    if (rank == count) {
      return max;
    }
    int bucket = 0;
    for (long below = counts[0]; below < rank; below += counts[bucket]) {
      bucket++;
    }
    return Math.max(min, Math.min(max, middle(bucket)));
  }

  /** What a report says about them. */
  public ReportData.Quantiles quantiles() {
    return new ReportData.Quantiles(
        count, quantileMs(0.5), quantileMs(0.9), quantileMs(0.99), maxMs());
  }

  private static int bucket(double ms) {
    if (ms < SMALLEST_MS) {
      return 0;
    }
    return 1 + (int) (Math.log(Math.min(ms, LARGEST_MS) / SMALLEST_MS) / LOG_GROWTH);
  }

  /** The geometric mean of a bucket's bounds: as far from both, as a part of the value. */
  private static double middle(int bucket) {
    return bucket == 0 ? 0 : SMALLEST_MS * Math.exp((bucket - 0.5) * LOG_GROWTH);
  }
}
