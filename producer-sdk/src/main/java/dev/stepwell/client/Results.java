package dev.stepwell.client;

import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.ResultError;

/** Turns results into exceptions, for callers that expect their steps to complete. */
public final class Results {
  private Results() {}

  /**
   * Gives the result back if its step completed.
   *
   * @param result any result
   * @return the same result
   * @throws StepFailedException for FAILED, EXITED with a code other than 0, and CRASHED
   * @throws StepTimedOutException for TIMED_OUT
   * @throws StepLimitException for OUT_OF_MEMORY and LIMIT_EXCEEDED
   * @throws StepCancelledException for CANCELLED
   * @throws RequestRejectedException for REJECTED; where the request is about a session, a state or
   *     a file that there isn't, one of its kinds
   * @throws InfrastructureException for INFRASTRUCTURE
   */
  public static ExecutionResult orThrow(ExecutionResult result) {
    return switch (result.outcome()) {
      case COMPLETED -> result;
      case EXITED -> exited(result);
      case FAILED -> throw new StepFailedException(result, raised(result));
      case CRASHED ->
          throw new StepFailedException(result, sentence(result, "died of " + result.signal()));
      case TIMED_OUT ->
          throw new StepTimedOutException(result, sentence(result, "ran out of time"));
      case OUT_OF_MEMORY, LIMIT_EXCEEDED ->
          throw new StepLimitException(result, sentence(result, "ran into a limit"));
      case CANCELLED -> throw new StepCancelledException(result, sentence(result, "was cancelled"));
      case REJECTED -> throw rejected(result);
      case INFRASTRUCTURE -> throw new InfrastructureException(result, failedBelow(result));
    };
  }

  /** A step that ends itself with 0 says that all is well. */
  private static ExecutionResult exited(ExecutionResult result) {
    if (result.exitCode() != null && result.exitCode() == 0) {
      return result;
    }
    throw new StepFailedException(result, name(result) + " exited with " + result.exitCode());
  }

  private static RequestRejectedException rejected(ExecutionResult result) {
    String message = sentence(result, "was rejected");
    ResultError error = result.error();
    if (error == null) {
      return new RequestRejectedException(result, message);
    }
    return switch (error.code()) {
      case SESSION_EXISTS -> new SessionExistsException(result, message);
      case SESSION_UNKNOWN -> new SessionUnknownException(result, message);
      case STEP_UNKNOWN, BASE_INVALID -> new StateUnavailableException(result, message);
      case FILE_NOT_FOUND -> new FileMissingException(result, message);
      case FILE_REFUSED -> new FileRefusedException(result, message);
      default -> new RequestRejectedException(result, message);
    };
  }

  private static String raised(ExecutionResult result) {
    ExceptionReport exception = result.exception();
    if (exception == null) {
      return name(result) + " failed";
    }
    String line = exception.line() == null ? "" : " at line " + exception.line();
    return "%s raised %s: %s%s"
        .formatted(name(result), exception.name(), exception.message(), line);
  }

  private static String failedBelow(ExecutionResult result) {
    boolean safe = result.error() != null && result.error().retrySafe();
    return sentence(result, "was not run to its end")
        + (safe ? "; its code has not run, a retry is safe" : "; its code may have run");
  }

  private static String sentence(ExecutionResult result, String what) {
    ResultError error = result.error();
    return error == null
        ? name(result) + " " + what
        : "%s %s: %s (%s)".formatted(name(result), what, error.message(), error.code());
  }

  private static String name(ExecutionResult result) {
    if (result.sessionId() == null) {
      return "request " + result.requestId();
    }
    return result.step() == null
        ? "request %s of session %s".formatted(result.requestId(), result.sessionId())
        : "step %d of session %s".formatted(result.step(), result.sessionId());
  }
}
