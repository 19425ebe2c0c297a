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
   * @return completes with the answer; never on the caller's thread; fails with {@link
   *     dev.stepwell.client.MessageTooLargeException} where the broker refuses the request for its
   *     size, with {@link dev.stepwell.client.UnreadableResultException} where the result can't be
   *     read, and with {@link dev.stepwell.client.ClientClosedException} at {@link #close}
   * @throws InterruptedException if the wait is interrupted; the request may have been published
   */
  CompletableFuture<Answer> send(Request request) throws InterruptedException;

  /**
   * Where a later process has to begin to read, so that it misses nothing that is neither answered
   * nor told to be finished here. Cheap.
   */
  Checkpoint checkpoint();

  /** Ends the connection. What was sent may still run. Idempotent. */
  @Override
  void close();
}
