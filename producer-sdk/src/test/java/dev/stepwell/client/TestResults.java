package dev.stepwell.client;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results for tests. */
final class TestResults {
  private TestResults() {}

  static ExecutionResult completed(ExecutionRequest request, String stdout) {
    return of(request.requestId(), request.sessionId(), Outcome.COMPLETED, 0, stdout, null);
  }

  static ExecutionResult ended(Outcome outcome, @Nullable Integer exitCode) {
    return of("r-1", null, outcome, exitCode, "", null);
  }

  static ExecutionResult failed(ExceptionReport exception) {
    ExecutionResult plain = of("r-1", "s", Outcome.FAILED, 1, "", null);
    return new ExecutionResult(
        plain.requestId(),
        plain.sessionId(),
        7L,
        plain.outcome(),
        plain.exitCode(),
        null,
        "",
        "",
        plain.truncation(),
        null,
        exception,
        null,
        null,
        plain.timings(),
        plain.usage(),
        plain.workerId(),
        null,
        1);
  }

  static ExecutionResult refused(Outcome outcome, ErrorCode code, boolean retrySafe) {
    return of("r-1", null, outcome, null, "", new ResultError(code, "the reason", null, retrySafe));
  }

  /** The answer to an operation; null for one that has nothing to say. */
  static ExecutionResult answered(Request request, @Nullable SessionAnswer answer) {
    return new ExecutionResult(
        request.requestId(),
        request.sessionId(),
        1L,
        Outcome.COMPLETED,
        null,
        null,
        "",
        "",
        Truncation.NONE,
        null,
        List.of(),
        null,
        null,
        null,
        List.of(),
        answer,
        Timings.NONE,
        Usage.NONE,
        "worker-1",
        null,
        1);
  }

  static ExecutionResult rejected(Request request, ErrorCode code) {
    return of(
        request.requestId(),
        request.sessionId(),
        Outcome.REJECTED,
        null,
        "",
        new ResultError(code, "the reason", null, true));
  }

  private static ExecutionResult of(
      String requestId,
      @Nullable String sessionId,
      Outcome outcome,
      @Nullable Integer exitCode,
      String stdout,
      @Nullable ResultError error) {
    return new ExecutionResult(
        requestId,
        sessionId,
        null,
        outcome,
        exitCode,
        null,
        stdout,
        "",
        Truncation.NONE,
        null,
        null,
        error,
        null,
        Timings.NONE,
        Usage.NONE,
        "worker-1",
        null,
        1);
  }
}
