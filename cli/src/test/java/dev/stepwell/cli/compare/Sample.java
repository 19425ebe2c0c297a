package dev.stepwell.cli.compare;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A result to be changed in one field and another. */
final class Sample implements Cloneable {
  static final ExecutionRequest REQUEST =
      new ExecutionRequest(
          "recorded-request-1",
          "recorded-session-1",
          StepKind.PYTHON,
          "1",
          List.of(),
          null,
          null,
          RequestLimits.DEFAULTS,
          Map.of(),
          null,
          null);

  String requestId = "recorded-request-1";
  String sessionId = "recorded-session-1";
  Long step = 2L;
  Outcome outcome = Outcome.COMPLETED;
  Integer exitCode = 0;
  @Nullable String signal;
  String stdout = "a\nb\nc\n";
  String stderr = "warning\n";
  Truncation truncation = Truncation.NONE;
  Value value = new Value("[1, 2]", "builtins.list", Map.of("image/png", "QUJD"));
  List<Value> displays = List.of(new Value("", "", Map.of("text/html", "<b>1</b>")));
  ExceptionReport exception = new ExceptionReport("KeyError", "'a'", "T\nKeyError: 'a'\n", 1);
  @Nullable ResultError error;
  StateReport state = state(snapshot('a'), 3);
  List<Artifact> artifacts = List.of(artifact("out.txt", "text"));
  @Nullable SessionAnswer answer;
  Timings timings = Timings.NONE;
  Usage usage = Usage.NONE;
  String workerId = "w";
  String sandboxId = "s";
  int attempt = 1;

  static Sample result() {
    return new Sample();
  }

  /** This one, changed. */
  Sample with(Consumer<Sample> change) {
    try {
      Sample copy = (Sample) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  ExecutionResult make() {
    return new ExecutionResult(
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
        displays,
        exception,
        error,
        state,
        artifacts,
        answer,
        timings,
        usage,
        workerId,
        sandboxId,
        attempt);
  }

  static String snapshot(char digit) {
    return String.valueOf(digit).repeat(64);
  }

  static StateReport state(String snapshot, int kept, LostValue... lost) {
    return new StateReport(snapshot, true, 100, 10, kept, List.of(lost), 1, 5);
  }

  static LostValue lost(String path, String reason) {
    return new LostValue(path, path, "builtins.generator", reason, null);
  }

  static ResultError error(ErrorCode code) {
    return new ResultError(code, "because", null, true);
  }

  static Artifact artifact(String path, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Artifact(path, bytes.length, hash(text), 0644, Bytes.of(bytes), null, null);
  }

  static String hash(String text) {
    return "%064x".formatted(text.hashCode() & 0xffffffffL);
  }
}
