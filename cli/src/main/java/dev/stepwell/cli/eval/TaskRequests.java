package dev.stepwell.cli.eval;

import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.cli.run.RunId;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

/**
 * Names, sends and remembers a task's requests; thread-safe. The same work has the same name each
 * time the run goes on: {@code t12.s3.2.1} is the first try of the second step of the third
 * candidate of the task with the index 12; {@code t12.s3} is the session, {@code t12.s3-2} the one
 * in which that candidate was begun anew, and {@code t12.s0} prepared it.
 */
final class TaskRequests {
  private final Courier courier;
  private final RunId run;
  private final int index;
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final Queue<End> ends = new ConcurrentLinkedQueue<>();

  /** A request to end a session, and its answer to come. */
  private record End(String id, CompletableFuture<Answer> answer) {}

  TaskRequests(Courier courier, RunId run, int index) {
    this.courier = courier;
    this.run = run;
    this.index = index;
  }

  /**
   * The index of the task that a request belongs to; -1 where it is not one of a task.
   *
   * @param requestId what {@link #id} gave
   */
  static int indexOf(String requestId) {
    int from = requestId.indexOf(".t");
    int to = from < 0 ? -1 : requestId.indexOf('.', from + 2);
    try {
      return to < 0 ? -1 : Integer.parseInt(requestId.substring(from + 2, to));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /**
   * A session's name in the run.
   *
   * @param candidate its number from 1, 0 for what prepares them
   * @param round how often it was begun, from 1
   */
  String session(int candidate, int round) {
    return "t" + index + ".s" + candidate + (round == 1 ? "" : "-" + round);
  }

  /** An id for what has this name in the run. */
  String id(String name) {
    return run.of(name);
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws CourierException saying why there is none
   */
  Answer ask(Request request) throws InterruptedException {
    CompletableFuture<Answer> answer = courier.send(request);
    asked.add(request.requestId());
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CourierException failure) {
        throw failure;
      }
      throw new IllegalStateException("a request was not answered", e.getCause());
    }
  }

  /** Has a session forgotten. Nobody waits for that, and no verdict depends on it. */
  CompletableFuture<?> end(String session) throws InterruptedException {
    SessionRequest end =
        new SessionRequest(
            id(session + ".end"), id(session), new SessionOperation.End(), null, null);
    CompletableFuture<Answer> ended = courier.send(end);
    ends.add(new End(end.requestId(), ended));
    return ended;
  }

  /** The task's outcome is written down: no later process asks for any of this. */
  void finish() {
    for (String id = asked.poll(); id != null; id = asked.poll()) {
      courier.finish(id);
    }
    for (End end = ends.poll(); end != null; end = ends.poll()) {
      finishOnceAnswered(end);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for it.
  private void finishOnceAnswered(End end) {
    end.answer().whenComplete((ignored, failure) -> courier.finish(end.id()));
  }
}
