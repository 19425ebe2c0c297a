package dev.stepwell.cli.run;

import dev.stepwell.protocol.ExecutionResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Brings results and those who wait for them together; thread-safe. Everything in it is guarded by
 * its lock, under which no future is completed.
 */
final class Mailbox {
  /** What came for a request: a result, or why it can't be read. */
  record Arrival(
      String requestId,
      @Nullable ExecutionResult result,
      long answeredAtMs,
      @Nullable CourierException problem) {}

  private final Room room;

  /** Completes what was answered before anybody asked, which the asker's own thread must not. */
  private final Executor answers;

  /** What was sent by this process and is not finished. */
  private final Map<String, Sent> sent = new HashMap<>();

  /** What an earlier process published and nobody has asked for yet. */
  private final IdSet published;

  /** What was answered of it. */
  private final Map<String, Arrival> early = new HashMap<>();

  /** Why nothing will be answered any more; null while that isn't so. */
  private @Nullable CourierException end;

  Mailbox(Room room, Executor answers, IdSet published) {
    this.room = room;
    this.answers = answers;
    this.published = published;
  }

  synchronized boolean wasPublished(String id) {
    return published.contains(id);
  }

  /** Whether nobody has asked yet for some of what an earlier process published. */
  synchronized boolean awaitsAskers() {
    return published.size() > 0;
  }

  /** Takes the id out of what was published; gives whether it was there. */
  synchronized boolean takePublished(String id) {
    return published.remove(id);
  }

  /**
   * Waits for a result from now on, for which room was made.
   *
   * @throws IllegalStateException if one of that id is already waited for
   * @throws CourierException if nothing will be answered any more
   */
  void expect(Sent request) {
    Arrival there;
    synchronized (this) {
      if (end != null) {
        room.leave(request.bytes());
        throw end;
      }
      if (sent.containsKey(request.id())) {
        room.leave(request.bytes());
        throw new IllegalStateException("request " + request.id() + " was sent already");
      }
      sent.put(request.id(), request);
      published.remove(request.id());
      there = early.remove(request.id());
    }
    if (there != null) {
      answers.execute(() -> settle(request, there));
    }
  }

  /** A result has been read. Called by the thread that reads. */
  void arrive(Arrival arrival) {
    Sent request;
    synchronized (this) {
      request = sent.get(arrival.requestId());
      if (request == null) {
        // A second result, or one that is written down already, or nobody's.
        if (published.contains(arrival.requestId())) {
          early.putIfAbsent(arrival.requestId(), arrival);
        }
        return;
      }
    }
    settle(request, arrival);
  }

  private void settle(Sent request, Arrival arrival) {
    if (arrival.result() == null) {
      fail(
          request,
          arrival.problem() == null
              ? new CourierException(CourierException.Kind.UNREADABLE, "no result", null)
              : arrival.problem());
      return;
    }
    Answer answer = new Answer(arrival.result(), request.publishedAtMs(), arrival.answeredAtMs());
    if (request.settled().compareAndSet(false, true)) {
      room.leave(request.bytes());
      request.answer().complete(answer);
    }
  }

  /** Ends a request without a result; it stays until it is finished. */
  void fail(Sent request, CourierException reason) {
    if (request.settled().compareAndSet(false, true)) {
      room.leave(request.bytes());
      request.answer().completeExceptionally(reason);
    }
  }

  /** Forgets a request as if it had never been sent. */
  void withdraw(Sent request) {
    synchronized (this) {
      sent.remove(request.id());
    }
    if (request.settled().compareAndSet(false, true)) {
      room.leave(request.bytes());
    }
  }

  /** Lets go of a request that nobody will ask for again; null where there is none. */
  synchronized @Nullable Sent finish(String id) {
    return sent.remove(id);
  }

  /** Ends every request, those to come included. Only the first reason counts. */
  void failAll(CourierException reason) {
    List<Sent> left;
    synchronized (this) {
      if (end == null) {
        end = reason;
      }
      left = new ArrayList<>(sent.values());
      early.clear();
    }
    answers.execute(() -> left.forEach(request -> fail(request, reason)));
  }
}
