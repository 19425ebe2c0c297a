package dev.stepwell.cli.replay;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Brings what happens on other threads to the one that drives a replay, so that nothing else of the
 * replay needs a lock; thread-safe.
 *
 * <p>What lies in here is bounded by what is under way: an answer or a snapshot each.
 */
final class Events {
  private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();

  /** Something that happened, for the thread that drives. */
  interface Event {
    void happen() throws InterruptedException;
  }

  void add(Event event) {
    queue.add(event);
  }

  /** Makes {@link #await} end with a failure. */
  void fail(Throwable failure) {
    queue.add(
        () -> {
          throw failure instanceof RuntimeException known
              ? known
              : new IllegalStateException(failure);
        });
  }

  /** Has everything happen that there is, and waits for the first if need be. */
  void await(long waitMs) throws InterruptedException {
    Event event = queue.poll(waitMs, TimeUnit.MILLISECONDS);
    while (event != null) {
      event.happen();
      event = queue.poll();
    }
  }
}
