package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result in the making. Not thread-safe: owned by the slot thread that runs the request.
 *
 * <p>It starts as a request that was not run and gains what running it brings, so that every way
 * out of execution ends in a whole result.
 */
final class ResultDraft {
  private final String requestId;
  private final @Nullable String sessionId;
  private final String workerId;
  private final int attempt;

  private @Nullable Long step;
  private Outcome outcome = Outcome.INFRASTRUCTURE;
  private @Nullable Integer exitCode;
  private @Nullable String signal;
  private String stdout = "";
  private String stderr = "";
  private Truncation truncation = Truncation.NONE;
  private @Nullable Value value;
  private List<Value> displays = List.of();
  private @Nullable ExceptionReport exception;
  private @Nullable ResultError error;
  private @Nullable StateReport state;
  private List<Artifact> artifacts = List.of();
  private @Nullable SessionAnswer session;
  private Timings timings = Timings.NONE;
  private Usage usage = Usage.NONE;
  private @Nullable String sandboxId;

  ResultDraft(String requestId, @Nullable String sessionId, String workerId, int attempt) {
    this.requestId = requestId;
    this.sessionId = sessionId;
    this.workerId = workerId;
    this.attempt = attempt;
  }

  ResultDraft step(@Nullable Long number) {
    step = number;
    return this;
  }

  ResultDraft outcome(Outcome ended) {
    outcome = ended;
    return this;
  }

  /** Ends the step for a reason that is not its code's normal end. */
  ResultDraft error(Outcome ended, ResultError reason) {
    outcome = ended;
    error = reason;
    return this;
  }

  ResultDraft rejected(ErrorCode code, @Nullable String field, String message) {
    return error(Outcome.REJECTED, new ResultError(code, message, field, true));
  }

  /** Stepwell failed before the code started, so another try repeats nothing. */
  ResultDraft failedBeforeStart(ErrorCode code, String message) {
    sandboxId = null;
    return error(Outcome.INFRASTRUCTURE, new ResultError(code, message, null, true));
  }

  ResultDraft exit(@Nullable Integer code, @Nullable String signalName) {
    exitCode = code;
    signal = signalName;
    return this;
  }

  ResultDraft output(String out, String err, Truncation left) {
    stdout = out;
    stderr = err;
    truncation = left;
    return this;
  }

  ResultDraft claims(@Nullable Value claimedValue, @Nullable ExceptionReport claimedException) {
    value = claimedValue;
    exception = claimedException;
    return this;
  }

  ResultDraft displays(List<Value> shown) {
    displays = shown;
    return this;
  }

  ResultDraft state(@Nullable StateReport report) {
    state = report;
    return this;
  }

  ResultDraft artifacts(List<Artifact> files) {
    artifacts = files;
    return this;
  }

  ResultDraft session(@Nullable SessionAnswer answer) {
    session = answer;
    return this;
  }

  ResultDraft timings(Timings spent) {
    timings = spent;
    return this;
  }

  ResultDraft usage(Usage used) {
    usage = used;
    return this;
  }

  ResultDraft sandbox(String id) {
    sandboxId = id;
    return this;
  }

  boolean refusedFor(ErrorCode code) {
    return error != null && error.code() == code;
  }

  Outcome outcome() {
    return outcome;
  }

  /** Cuts both streams to this many characters and counts what goes. */
  ResultDraft shorten(int characters) {
    String out = cut(stdout, characters);
    String err = cut(stderr, characters);
    truncation =
        new Truncation(
            truncation.stdoutBytes() + utf8(stdout) - utf8(out),
            truncation.stderrBytes() + utf8(stderr) - utf8(err));
    stdout = out;
    stderr = err;
    return this;
  }

  /**
   * Leaves the forms of displays out, those of the larger half of the displays that have any.
   *
   * @return whether there were any
   */
  boolean leaveOutForms() {
    List<Integer> sizes =
        displays.stream().map(ResultDraft::formsLength).filter(n -> n > 0).sorted().toList();
    if (sizes.isEmpty()) {
      return false;
    }
    int most = sizes.get(sizes.size() / 2);
    displays =
        displays.stream()
            .map(d -> formsLength(d) < most ? d : new Value(d.text(), d.type(), Map.of()))
            .toList();
    return true;
  }

  private static int formsLength(Value display) {
    return display.mime().entrySet().stream()
        .mapToInt(form -> form.getKey().length() + form.getValue().length())
        .sum();
  }

  int longestStream() {
    return Math.max(stdout.length(), stderr.length());
  }

  private static String cut(String text, int characters) {
    if (text.length() <= characters) {
      return text;
    }
    // Half a surrogate pair would be no text.
    boolean splits = characters > 0 && Character.isHighSurrogate(text.charAt(characters - 1));
    return text.substring(0, splits ? characters - 1 : characters);
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  ExecutionResult build() {
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
        session,
        timings,
        usage,
        workerId,
        sandboxId,
        attempt);
  }
}
