package dev.stepwell.cli.replay;

import org.jspecify.annotations.Nullable;

/**
 * How a log is gone through; immutable.
 *
 * @param maxInFlight how many requests may be without an answer, at least 1
 * @param speed how many times as fast as recorded; infinity for no wait
 * @param sessions how many sessions may have requests without an answer, at least 1; a one-shot
 *     counts as one
 * @param session the one session to replay; null for all
 * @param fromStep the first step of it to replay; 0 for all
 */
public record ReplaySettings(
    int maxInFlight, double speed, int sessions, @Nullable String session, long fromStep) {
  /** How many requests are on their way where nothing else is said. */
  public static final int IN_FLIGHT = 2_000;

  /** All of it, as fast as it goes. */
  static final ReplaySettings DEFAULT =
      new ReplaySettings(IN_FLIGHT, Speed.MAX, Integer.MAX_VALUE, null, 0);
}
