package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.LogHeader;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.log.Tear;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A log in memory, or one that is made up while it is read. */
final class FakeLog implements RecordedLog {
  final List<RecordedRequest> requests = new ArrayList<>();
  final List<RecordedResult> results = new ArrayList<>();
  final List<RecordedSnapshot> snapshots = new ArrayList<>();

  FakeLog request(Request request) {
    return request(0, request);
  }

  /** A request with its recorded time, and the variables that were left out of it. */
  FakeLog request(long atMs, Request request, String... withheld) {
    requests.add(
        new RecordedRequest(
            requests.size(), atMs, request.key(), request, null, List.of(withheld)));
    return this;
  }

  FakeLog unreadable(String problem) {
    requests.add(new RecordedRequest(requests.size(), 0, "k", null, problem, List.of()));
    return this;
  }

  FakeLog result(ExecutionResult result) {
    results.add(new RecordedResult(0, result));
    return this;
  }

  static Request step(String id, @Nullable String session) {
    return step(id, session, null, null);
  }

  static Request step(
      String id, @Nullable String session, @Nullable String profile, @Nullable String base) {
    return step(id, session, profile, base, Map.of());
  }

  /** A one-shot with variables. */
  static Request variables(String id, Map<String, String> environment) {
    return step(id, null, null, null, environment);
  }

  private static Request step(
      String id,
      @Nullable String session,
      @Nullable String profile,
      @Nullable String base,
      Map<String, String> environment) {
    return new ExecutionRequest(
        id,
        session,
        StepKind.PYTHON,
        "source of " + id,
        List.of(),
        null,
        profile,
        RequestLimits.DEFAULTS,
        environment,
        17L,
        "reply.elsewhere",
        List.of(),
        List.of(),
        false,
        base,
        null);
  }

  static Request operation(String id, String session, SessionOperation operation) {
    return new SessionRequest(id, session, operation, null, null);
  }

  static ExecutionResult result(
      String id,
      @Nullable String session,
      @Nullable Long step,
      String stdout,
      @Nullable SessionAnswer answer) {
    return new ExecutionResult(
        id,
        session,
        step,
        Outcome.COMPLETED,
        0,
        null,
        stdout,
        "",
        Truncation.NONE,
        null,
        List.of(),
        null,
        null,
        null,
        List.of(),
        answer,
        new Timings(1, 2, 3, 4, 5, 6),
        Usage.NONE,
        "worker",
        null,
        1);
  }

  @Override
  public LogHeader header() {
    return LogHeader.PLAIN;
  }

  @Override
  public OptionalLong requestCount() {
    return OptionalLong.of(requests.size());
  }

  @Override
  public Cursor<RecordedRequest> requests() {
    return cursor(requests.size(), index -> requests.get((int) index));
  }

  @Override
  public Cursor<RecordedResult> results() {
    return cursor(results.size(), index -> results.get((int) index));
  }

  /** Goes through what is made up on the way. */
  static <T> Cursor<T> cursor(long count, LongFunction<T> made) {
    return new Cursor<>() {
      private long index;

      @Override
      public @Nullable T next() {
        return index == count ? null : made.apply(index++);
      }

      @Override
      public double part() {
        return count == 0 ? 1 : (double) index / count;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public List<RecordedSnapshot> snapshots(String sessionId) {
    return snapshots.stream().filter(each -> each.sessionId().equals(sessionId)).toList();
  }

  @Override
  public @Nullable RecordedSnapshot snapshot(String id) {
    return snapshots.stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
  }

  @Override
  public byte @Nullable [] piece(String id) {
    return null;
  }

  @Override
  public @Nullable Tear tear() {
    return null;
  }

  @Override
  public void close() {}
}
