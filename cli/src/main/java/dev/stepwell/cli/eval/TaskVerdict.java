package dev.stepwell.cli.eval;

import org.jspecify.annotations.Nullable;

/**
 * How a task went; immutable.
 *
 * @param taskId the task
 * @param status what it counts as
 * @param reason what was not as expected, or what failed; null for a task that passed
 * @param outcome how its last step that was answered ended, or null
 * @param steps how many of its steps were answered
 * @param attempts how many requests were sent for it, beyond the number of steps where an
 *     infrastructure failure was retried
 * @param latencyMs from its first request to its last answer, in milliseconds
 */
record TaskVerdict(
    String taskId,
    Status status,
    @Nullable String reason,
    @Nullable String outcome,
    int steps,
    int attempts,
    double latencyMs) {
  /** What a task counts as. */
  enum Status {
    /** All went as expected. */
    PASSED,
    /** Something its own code did was not as expected. */
    FAILED,
    /** It has no verdict, and its code is not to blame. */
    INFRASTRUCTURE
  }
}
