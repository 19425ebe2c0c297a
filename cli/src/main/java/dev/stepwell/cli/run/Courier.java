package dev.stepwell.cli.run;

import dev.stepwell.protocol.Request;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes a run's requests and brings their results, across interruptions of the run;
 * thread-safe.
 *
 * <p>Whoever uses it names requests and sessions so that the same work has the same names each time
 * the run goes on. What an earlier process of the run has published is never published again, and
 * what was answered meanwhile is found. A broker that goes away is waited for, however long.
 */
public interface Courier extends AutoCloseable {
  /**
   * Publishes a request, unless an earlier process of this run has, and brings its result. Blocks
   * while too much is on its way, or no broker answers.
   *
   * @param request its id, and its session's, begin with the run's {@link RunId}
   * @return completes with the answer; never on the caller's thread, but on one that others wait
   *     for, so that what hangs on it must be quick; fails with {@link CourierException}
   * @throws InterruptedException if the wait is interrupted; it was not published then
   * @throws CourierException if the courier is closed, or can't read results any more
   * @throws IllegalStateException if it was sent by this process and isn't finished
   */
  CompletableFuture<Answer> send(Request request) throws InterruptedException;

  /**
   * Publishes a request once more, under the id that it was sent under before, unless an earlier
   * process of this run has: what a publisher does who doesn't know whether the first time counted.
   * Nobody waits for an answer to it.
   *
   * @param request the same request as before
   * @param copy which one this is, from 1
   * @throws InterruptedException if a wait for Kafka is interrupted
   */
  default void sendAgain(Request request, int copy) throws InterruptedException {
    throw new UnsupportedOperationException("sends everything once");
  }

  /**
   * Whether an earlier process of this run has published a request that this one hasn't sent.
   * Cheap.
   *
   * @param name the request's id; of a copy {@code ID COPY}
   */
  default boolean sentBefore(String name) {
    return false;
  }

  /**
   * What came of a request is written down where a later process finds it: no later process will
   * send it. Without a call the request stays one that {@link #checkpoint} has to keep. Of one that
   * was never sent nothing happens.
   *
   * @param requestId the request's id
   */
  default void finish(String requestId) {}

  /**
   * Where a later process has to begin to read, so that it misses nothing that is neither answered
   * nor told to be finished here. Cheap.
   */
  Checkpoint checkpoint();

  /** Ends the connection. What was sent may still run. Idempotent. */
  @Override
  void close();
}
