package dev.stepwell.cli.eval;

import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Checkpoint;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands for Kafka and the workers: what a step's source says is what comes of it, a word a try.
 * {@code "lost ok"} is lost with its sandbox the first time, and completes the second; what the
 * words say is over, the last one holds. Thread-safe.
 */
final class FakeTopic {
  private final Map<String, ExecutionResult> results = new ConcurrentHashMap<>();
  private final Map<String, Integer> tries = new ConcurrentHashMap<>();
  private final Set<String> sessions = ConcurrentHashMap.newKeySet();

  /** The ids that were published, in that order. */
  final List<String> published = Collections.synchronizedList(new ArrayList<>());

  /** The ids of what is told to be finished. */
  final Set<String> finished = ConcurrentHashMap.newKeySet();

  /** How many requests are published before all is lost; each process has as many. */
  int lives = Integer.MAX_VALUE;

  /** A process's connection. */
  Courier connect() {
    return new Connection(lives);
  }

  List<String> published(String part) {
    return published.stream().filter(id -> id.contains(part)).toList();
  }

  private ExecutionResult result(Request request) {
    if (request instanceof SessionRequest operation) {
      return answer(operation);
    }
    ExecutionRequest step = (ExecutionRequest) request;
    String[] words = String.valueOf(step.source()).split(" ", -1);
    // The same step of the same candidate, in whichever session it is tried.
    String[] names = request.requestId().split("\\.", -1);
    String which = names[1] + names[2].replaceAll("-.*", "") + names[3];
    int tried = tries.merge(which, 1, Integer::sum);
    String word = words[Math.min(tried, words.length) - 1];
    return switch (word) {
      case "fail" -> result(request, Outcome.FAILED, null, null);
      case "shortage" -> failure(request, ErrorCode.NO_SANDBOX, true);
      case "lost" -> failure(request, ErrorCode.SANDBOX_LOST, false);
      case "poison" -> failure(request, ErrorCode.ATTEMPTS_EXHAUSTED, false);
      default -> result(request, Outcome.COMPLETED, null, null);
    };
  }

  private ExecutionResult answer(SessionRequest request) {
    String session = String.valueOf(request.sessionId());
    SessionOperation operation = request.operation();
    if (operation instanceof SessionOperation.Locate) {
      return result(
          request, Outcome.COMPLETED, null, new SessionAnswer.Located("ref-of-" + session, 1));
    }
    if (operation instanceof SessionOperation.Fork && !sessions.add(session)) {
      return result(
          request,
          Outcome.REJECTED,
          new ResultError(ErrorCode.SESSION_EXISTS, "it exists", null, false),
          null);
    }
    return result(request, Outcome.COMPLETED, null, null);
  }

  private static ExecutionResult failure(Request request, ErrorCode code, boolean retrySafe) {
    return result(
        request,
        Outcome.INFRASTRUCTURE,
        new ResultError(code, "said the fake", null, retrySafe),
        null);
  }

  private static ExecutionResult result(
      Request request,
      Outcome outcome,
      @Nullable ResultError error,
      @Nullable SessionAnswer answer) {
    String out = request instanceof ExecutionRequest step ? "out of " + step.source() + "\n" : "";
    return new ExecutionResult(
        request.requestId(),
        request.sessionId(),
        null,
        outcome,
        null,
        null,
        out,
        "",
        Truncation.NONE,
        null,
        List.of(),
        null,
        error,
        null,
        List.of(),
        answer,
        new Timings(1, 1, 1, 5, 1, 1),
        Usage.NONE,
        "fake",
        null,
        1);
  }

  /** One process's courier. */
  private final class Connection implements Courier {
    private int left;

    Connection(int lives) {
      this.left = lives;
    }

    @Override
    public synchronized CompletableFuture<Answer> send(Request request) {
      boolean before = results.containsKey(request.requestId());
      if (!before && left-- <= 0) {
        throw new CourierException(CourierException.Kind.BROKEN, "the process was killed", null);
      }
      if (!before) {
        published.add(request.requestId());
      }
      Function<String, ExecutionResult> run = id -> result(request);
      ExecutionResult result = results.computeIfAbsent(request.requestId(), run);
      return CompletableFuture.supplyAsync(() -> new Answer(result, before ? 0 : 1000, 1010));
    }

    @Override
    public void finish(String requestId) {
      finished.add(requestId);
    }

    @Override
    public Checkpoint checkpoint() {
      return new Checkpoint(List.of(), List.of());
    }

    @Override
    public void close() {}
  }
}
