package dev.stepwell.client;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers operations by what a test says of their kind, and keeps them. Steps it leaves alone.
 * Owned by the test's thread, on which everything is sent.
 */
final class ScriptedSessions {
  /** What is to be answered with nothing but that it was done. */
  static final Function<SessionRequest, @Nullable SessionAnswer> DONE = request -> null;

  private final Map<
          Class<? extends SessionOperation>, Function<SessionRequest, @Nullable ExecutionResult>>
      answers = new LinkedHashMap<>();
  private final Queue<SessionRequest> asked = new ConcurrentLinkedQueue<>();

  ScriptedSessions(FakeTransport transport) {
    transport.worker = this::answer;
  }

  /** Answers each operation of a kind. */
  ScriptedSessions on(
      Class<? extends SessionOperation> kind,
      Function<SessionRequest, @Nullable SessionAnswer> answer) {
    answers.put(kind, request -> TestResults.answered(request, answer.apply(request)));
    return this;
  }

  /** Rejects each operation of a kind. */
  ScriptedSessions reject(Class<? extends SessionOperation> kind, ErrorCode code) {
    answers.put(kind, request -> TestResults.rejected(request, code));
    return this;
  }

  /** Answers each operation of a kind with a result, or leaves it unanswered where that is null. */
  ScriptedSessions result(
      Class<? extends SessionOperation> kind,
      Function<SessionRequest, @Nullable ExecutionResult> answer) {
    answers.put(kind, answer);
    return this;
  }

  /** The operations sent so far, in order. */
  List<SessionRequest> asked() {
    return List.copyOf(asked);
  }

  <O extends SessionOperation> List<O> asked(Class<O> kind) {
    return asked.stream()
        .map(SessionRequest::operation)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  private List<ExecutionResult> answer(Request request) {
    List<ExecutionResult> results = new ArrayList<>();
    if (request instanceof SessionRequest operation) {
      asked.add(operation);
      Stream.ofNullable(answers.get(operation.operation().getClass()))
          .flatMap(answer -> Stream.ofNullable(answer.apply(operation)))
          .forEach(results::add);
    }
    return results;
  }
}
