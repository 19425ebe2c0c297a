package dev.stepwell.cli.eval;

import dev.stepwell.cli.run.CourierException;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import org.jspecify.annotations.Nullable;

/** Locates and forks sessions of a task; immutable and thread-safe. */
record SessionLine(TaskRequests requests, Retries retries) {
  /** A state to fork, or why there is none; one of the two is null. */
  record Base(@Nullable String reference, StepLine.@Nullable Stop stop) {}

  /** The state that a session is in. */
  Base locate(String session) throws InterruptedException {
    ExecutionResult result;
    try {
      result = ask(session, "locate", new SessionOperation.Locate(null));
    } catch (CourierException e) {
      return new Base(null, StepLine.Stop.of(e));
    }
    if (result.session() instanceof SessionAnswer.Located located) {
      return new Base(located.reference(), null);
    }
    Status status = result.outcome() == Outcome.REJECTED ? Status.FAILED : Status.INFRASTRUCTURE;
    String reason = "it left no state to fork: " + StepLine.reason(result);
    return new Base(null, new StepLine.Stop(status, reason, false));
  }

  /**
   * Makes a session out of a state.
   *
   * @return why it could not be made; null where it was
   */
  StepLine.@Nullable Stop fork(String session, String reference, boolean reseed)
      throws InterruptedException {
    ExecutionResult result;
    try {
      result = ask(session, "fork", new SessionOperation.Fork(reference, reseed));
    } catch (CourierException e) {
      return StepLine.Stop.of(e);
    }
    if (result.outcome() == Outcome.COMPLETED || madeBefore(result)) {
      return null;
    }
    return new StepLine.Stop(
        Status.INFRASTRUCTURE, "can't fork: " + StepLine.reason(result), false);
  }

  /** A try that was said to have failed may have made it: nobody else has a session of the name. */
  private static boolean madeBefore(ExecutionResult result) {
    return result.error() != null && result.error().code() == ErrorCode.SESSION_EXISTS;
  }

  /** None of these runs code, so each may be tried again. */
  private ExecutionResult ask(String session, String name, SessionOperation operation)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      String id = requests.id(session + "." + name + "." + attempt);
      ExecutionResult result =
          requests
              .ask(new SessionRequest(id, requests.id(session), operation, null, null))
              .result();
      if (!retries.again(result, attempt, true)) {
        return result;
      }
      retries.pause().before(attempt);
    }
  }
}
