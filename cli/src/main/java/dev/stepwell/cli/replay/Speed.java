package dev.stepwell.cli.replay;

/**
 * When recorded requests are due. Owned by the thread that drives the replay.
 *
 * <p>The first request that has a time is due at once, and the others as much later as they were
 * then, divided by the factor.
 */
final class Speed {
  /** As fast as they are answered. */
  static final double MAX = Double.POSITIVE_INFINITY;

  private final double factor;
  private long firstAtMs = -1;
  private long startedAtMs;

  /**
   * A speed.
   *
   * @param factor how many times as fast as recorded; {@link #MAX} for no wait at all
   */
  Speed(double factor) {
    this.factor = factor;
  }

  /** Forgets what was first: the next request that has a time is due at once. */
  void restart() {
    firstAtMs = -1;
  }

  /**
   * How long a request has to wait.
   *
   * @param atMs when it was recorded, milliseconds since the epoch; 0 where nobody knows
   * @param nowMs milliseconds of any clock
   * @return milliseconds, at least 0
   */
  long waitMs(long atMs, long nowMs) {
    if (factor == MAX || atMs == 0) {
      return 0;
    }
    if (firstAtMs < 0) {
      firstAtMs = atMs;
      startedAtMs = nowMs;
    }
    return Math.max(0, (long) Math.ceil((atMs - firstAtMs) / factor) - (nowMs - startedAtMs));
  }
}
