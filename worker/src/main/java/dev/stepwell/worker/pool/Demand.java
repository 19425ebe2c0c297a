package dev.stepwell.worker.pool;

import java.util.concurrent.TimeUnit;

/**
 * Tells from how takers come how many sandboxes must lie ready for them. It grows within a few
 * takes and shrinks over minutes. Guarded by the {@link Ledger}'s lock.
 *
 * <p>While a replacement starts, {@code rate * creation time} takers are expected to come; at
 * random, so two standard deviations more of them rarely exhaust what lies ready.
 */
final class Demand {
  /** Takes older than this hardly count in the rate: short enough to notice a burst's begin. */
  private static final double RATE_WINDOW_S = 2;

  /** A rate once seen is forgotten by half in this time: bursts of agents come in waves. */
  private static final double HOLD_HALF_LIFE_S = 30;

  private static final double DEVIATIONS = 2;

  /** What the newest creation weighs: slow ones are remembered for about five. */
  private static final double NEWEST_CREATION_WEIGHT = 0.2;

  private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

  private double recentTakes;
  private double heldRatePerS;
  private double creationS;
  private long updatedNs;

  Demand(long nowNs) {
    this.updatedNs = nowNs;
  }

  /** Somebody came to take a sandbox, whether or not there was one. */
  void arrived(long nowNs) {
    decay(nowNs);
    recentTakes += 1;
    heldRatePerS = Math.max(heldRatePerS, recentTakes / RATE_WINDOW_S);
  }

  /** A sandbox has been started. */
  void created(long tookNs) {
    double tookS = Math.max(0, tookNs) / NS_PER_S;
    creationS = creationS == 0 ? tookS : creationS + NEWEST_CREATION_WEIGHT * (tookS - creationS);
  }

  /** How many should lie ready for those that come while a replacement starts. */
  int expected(long nowNs) {
    decay(nowNs);
    double arriving = heldRatePerS * creationS;
    return (int) Math.min(Integer.MAX_VALUE, arriving + DEVIATIONS * Math.sqrt(arriving));
  }

  private void decay(long nowNs) {
    double elapsedS = Math.max(0, nowNs - updatedNs) / NS_PER_S;
    recentTakes *= Math.exp(-elapsedS / RATE_WINDOW_S);
    heldRatePerS *= Math.pow(2, -elapsedS / HOLD_HALF_LIFE_S);
    updatedNs = nowNs;
  }
}
