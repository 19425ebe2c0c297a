package dev.stepwell.cli.eval;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import java.time.Duration;

/**
 * When what failed for reasons of ours is tried again; immutable. What the user's code did is never
 * tried again.
 *
 * @param more how many more tries there are, at least 0
 * @param pause waits before a try
 */
record Retries(int more, Pause pause) {
  /** Waits. */
  interface Pause {
    /**
     * Waits before another try.
     *
     * @param tried how often it was tried, at least 1
     */
    void before(int tried) throws InterruptedException;
  }

  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = Duration.ofSeconds(10).toMillis();

  /** Waits twice as long each time. */
  static void sleep(int tried) throws InterruptedException {
    Thread.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(tried - 1, 10)));
  }

  /**
   * Whether the same step may be sent again.
   *
   * @param nothingBefore whether it is a one-shot, or the first step of a session or fork
   */
  boolean again(ExecutionResult result, int tried, boolean nothingBefore) {
    if (tried > more || !failedByUs(result)) {
      return false;
    }
    ResultError error = result.error();
    return (error != null && error.retrySafe()) || (nothingBefore && !suspected(result));
  }

  /** Whether a task that may be repeated as a whole is begun anew after this. */
  static boolean lost(ExecutionResult result) {
    ResultError error = result.error();
    return failedByUs(result) && !(error != null && error.retrySafe()) && !suspected(result);
  }

  static boolean failedByUs(ExecutionResult result) {
    return result.outcome() == Outcome.INFRASTRUCTURE;
  }

  /** What workers died on may be what killed them. */
  private static boolean suspected(ExecutionResult result) {
    return result.error() != null && result.error().code() == ErrorCode.ATTEMPTS_EXHAUSTED;
  }
}
