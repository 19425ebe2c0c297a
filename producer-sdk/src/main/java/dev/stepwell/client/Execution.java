package dev.stepwell.client;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ExecutionResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request that was sent, and its answer once there is one; thread-safe. It counts as in flight
 * until it is answered or abandoned, whether or not anybody waits for it.
 */
public final class Execution {
  private final Stepwell client;
  private final String requestId;
  private final @Nullable String sessionId;
  private final CompletableFuture<ExecutionResult> answer;

  Execution(
      Stepwell client,
      String requestId,
      @Nullable String sessionId,
      CompletableFuture<ExecutionResult> answer) {
    this.client = client;
    this.requestId = requestId;
    this.sessionId = sessionId;
    this.answer = answer;
  }

  /** The request's id, as it is in logs and in the result. */
  public String requestId() {
    return requestId;
  }

  /** The session that the step belongs to, or null for a one-shot. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /**
   * Waits for the answer as long as the client's answer timeout says.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none in time, or the thread is interrupted, whose flag is
   *     then set again; it may be awaited again
   * @throws StepwellException if there will be no answer
   */
  public ExecutionResult await() {
    return await(client.answerTimeout());
  }

  /**
   * Waits for the answer.
   *
   * @param timeout how long to wait at most
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none in time, or the thread is interrupted, whose flag is
   *     then set again; it may be awaited again
   * @throws StepwellException if there will be no answer
   */
  public ExecutionResult await(Duration timeout) {
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new NoAnswerException(
          this,
          "request %s has no answer after %d ms; it may still run, and may be awaited again"
              .formatted(requestId, timeout.toMillis()),
          null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException(
          this, "interrupted while waiting for request " + requestId + "; it may still run", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StepwellException reason) {
        throw reason;
      }
      throw new IllegalStateException("request " + requestId + " ended in an unforeseen way", e);
    }
  }

  /**
   * The answer as a future of the caller's own: completing or cancelling it changes nothing here.
   * It completes with the result, whatever its outcome is, or exceptionally with a {@link
   * StepwellException}, on the client's reader thread, so what depends on it must not block.
   */
  public CompletableFuture<ExecutionResult> future() {
    return answer.copy();
  }

  /**
   * Asks for the step to be ended early. It is a wish: the answer, which is awaited as ever, is
   * CANCELLED only if the wish came in time. Returns without waiting for it to arrive.
   *
   * @throws ClientClosedException if the client is closed
   */
  public void cancel() {
    if (!answer.isDone()) {
      client.cancel(new CancelRequest(requestId, sessionId));
    }
  }

  /**
   * Gives up waiting, so that the request no longer counts as in flight. The step is not cancelled;
   * its answer is ignored, and whoever awaits it has {@link NoAnswerException}.
   */
  public void abandon() {
    client.abandon(
        requestId,
        new NoAnswerException(this, "request " + requestId + " was abandoned; it may run", null));
  }
}
