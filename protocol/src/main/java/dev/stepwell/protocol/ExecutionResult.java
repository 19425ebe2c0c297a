package dev.stepwell.protocol;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one answer to a request; immutable. An operation that runs no code is answered in the same
 * form: COMPLETED where it was done, without exit code, output and value.
 *
 * @param requestId the request's id
 * @param sessionId the request's session, or null for a one-shot
 * @param step the step's number in its session, from 1; for an operation the number of the
 *     session's last step after it; null where there is none
 * @param outcome how the step ended
 * @param exitCode the exit code of the step's process, 0 to 255; null where it didn't exit by
 *     itself
 * @param signal the signal that ended the step's process, such as {@code SIGKILL}; null for none
 * @param stdout what the step wrote to its standard output, up to the output limit
 * @param stderr what the step wrote to its standard error, up to the output limit
 * @param truncation what of the output was left out
 * @param value the value of the last expression, or null where the source doesn't end in one, or it
 *     is None
 * @param displays what the step showed while it ran, in that order, however it ended: open figures
 *     at {@code matplotlib.pyplot.show()}, and what code passed to {@code stepwell_step.display};
 *     at most 100
 * @param exception the exception that left the source, or null
 * @param error why the step was not run or not run to its end; null for COMPLETED, FAILED, EXITED
 * @param state the session's state after this step; null for a one-shot
 * @param timings where the time went
 * @param usage what the step used
 * @param workerId the worker that answers
 * @param sandboxId the sandbox that ran the step, which ran no other; null where none did
 * @param artifacts the files that the request asked for, in the order of their paths, and behind
 *     them what was not found
 * @param session what a session operation answers; null for a step, for an operation that has
 *     nothing to say, and where it was not done
 * @param attempt 1 for the first try to run this request; a worker that was lost with it counts
 */
public record ExecutionResult(
    String requestId,
    @Nullable String sessionId,
    @Nullable Long step,
    Outcome outcome,
    @Nullable Integer exitCode,
    @Nullable String signal,
    String stdout,
    String stderr,
    Truncation truncation,
    @Nullable Value value,
    List<Value> displays,
    @Nullable ExceptionReport exception,
    @Nullable ResultError error,
    @Nullable StateReport state,
    List<Artifact> artifacts,
    @Nullable SessionAnswer session,
    Timings timings,
    Usage usage,
    String workerId,
    @Nullable String sandboxId,
    int attempt) {

  /** The version of the result format that this class is. */
  public static final int VERSION = 1;

  /**
   * Validates.
   *
   * @throws InvalidMessageException naming the first field that is wrong
   */
  public ExecutionResult {
    Checks.id("requestId", requestId);
    if (sessionId != null) {
      Checks.id("sessionId", sessionId);
    }
    Checks.atLeast("step", step, 1);
    Objects.requireNonNull(outcome, "outcome");
    if (exitCode != null && (exitCode < 0 || exitCode > 255)) {
      throw Checks.invalid("exitCode", "is " + exitCode + ", must be 0 to 255");
    }
    Objects.requireNonNull(stdout, "stdout");
    Objects.requireNonNull(stderr, "stderr");
    Objects.requireNonNull(truncation, "truncation");
    displays = List.copyOf(displays);
    artifacts = List.copyOf(artifacts);
    Objects.requireNonNull(timings, "timings");
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(workerId, "workerId");
    if (attempt < 1) {
      throw Checks.invalid("attempt", "is " + attempt + ", must be at least 1");
    }
  }

  /**
   * A result without displays and artifacts, and of no session operation.
   *
   * @throws InvalidMessageException naming the first field that is wrong
   */
  public ExecutionResult(
      String requestId,
      @Nullable String sessionId,
      @Nullable Long step,
      Outcome outcome,
      @Nullable Integer exitCode,
      @Nullable String signal,
      String stdout,
      String stderr,
      Truncation truncation,
      @Nullable Value value,
      @Nullable ExceptionReport exception,
      @Nullable ResultError error,
      @Nullable StateReport state,
      Timings timings,
      Usage usage,
      String workerId,
      @Nullable String sandboxId,
      int attempt) {
    this(
        requestId,
        sessionId,
        step,
        outcome,
        exitCode,
        signal,
        stdout,
        stderr,
        truncation,
        value,
        List.of(),
        exception,
        error,
        state,
        List.of(),
        null,
        timings,
        usage,
        workerId,
        sandboxId,
        attempt);
  }
}
