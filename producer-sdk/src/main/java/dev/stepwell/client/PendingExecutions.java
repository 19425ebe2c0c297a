package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.protocol.codec.RequestSalvage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests without an answer, of which there are only so many; thread-safe. A request holds its
 * place from before it is sent until it is answered, abandoned, or known not to have been sent.
 */
final class PendingExecutions implements Transport.ReplyListener {
  /** Results are as large as brokers allow, which is more than a request may be. */
  private static final int MAX_RESULT_BYTES = 128 << 20;

  private final MessageCodec codec = new MessageCodec(MAX_RESULT_BYTES);
  private final int limit;
  private final Semaphore places;
  private final ConcurrentHashMap<String, Pending> byRequest = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> requestsByKey = new ConcurrentHashMap<>();

  /** Makes the exception for a request id once no answers will come; null until then. */
  private final AtomicReference<@Nullable Function<String, StepwellException>> end =
      new AtomicReference<>();

  PendingExecutions(int limit) {
    this.limit = limit;
    places = new Semaphore(limit);
  }

  /**
   * Takes a place for a request, waiting for one if need be.
   *
   * @return completes with the request's result
   * @throws TooManyInFlightException if there is none in time, or the wait is interrupted
   */
  CompletableFuture<ExecutionResult> add(String requestId, String key, Duration timeout) {
    takePlace(timeout);
    CompletableFuture<ExecutionResult> answer = new CompletableFuture<>();
    requestsByKey.merge(key, 1, Integer::sum);
    byRequest.put(requestId, new Pending(key, answer));
    Function<String, StepwellException> ended = end.get();
    if (ended != null) {
      remove(requestId);
      throw ended.apply(requestId);
    }
    return answer;
  }

  /** Gives a request's place away, its future as it is. */
  void remove(String requestId) {
    take(requestId);
  }

  /** Ends a request without a result. */
  void fail(String requestId, StepwellException reason) {
    Pending pending = take(requestId);
    if (pending != null) {
      pending.answer.completeExceptionally(reason);
    }
  }

  /** Ends every request, those to come included. Only the first reason counts. */
  void failAll(Function<String, StepwellException> reason) {
    end.compareAndSet(null, reason);
    byRequest.keySet().forEach(requestId -> fail(requestId, reason.apply(requestId)));
  }

  int size() {
    return byRequest.size();
  }

  @Override
  public boolean wants(String key) {
    return requestsByKey.containsKey(key);
  }

  @Override
  public void reply(byte[] message) {
    ExecutionResult result;
    try {
      result = codec.decodeResult(message);
    } catch (InvalidMessageException e) {
      unreadable(message, e);
      return;
    }
    Pending pending = take(result.requestId());
    if (pending != null) {
      pending.answer.complete(result);
    }
  }

  @Override
  public void broken(StepwellException reason) {
    failAll(requestId -> reason);
  }

  private void unreadable(byte[] message, InvalidMessageException cause) {
    String requestId = RequestSalvage.from(message).requestId();
    if (requestId != null) {
      fail(
          requestId,
          new UnreadableResultException(
              "the result of request " + requestId + " can't be read: " + cause.getMessage(),
              cause));
    }
  }

  private @Nullable Pending take(String requestId) {
    Pending pending = byRequest.remove(requestId);
    if (pending != null) {
      requestsByKey.computeIfPresent(pending.key, (key, count) -> count == 1 ? null : count - 1);
      places.release();
    }
    return pending;
  }

  private void takePlace(Duration timeout) {
    try {
      if (places.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new TooManyInFlightException(limit, timeout.toMillis());
  }

  private record Pending(String key, CompletableFuture<ExecutionResult> answer) {}
}
