package dev.stepwell.cli.eval;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends sessions that nobody needs any more, and waits for that at the end alone; thread-safe. */
final class Farewells {
  private final Set<CompletableFuture<?>> unanswered = ConcurrentHashMap.newKeySet();

  /** Has a session forgotten. What comes of it nobody looks at: it is about order, not results. */
  @SuppressWarnings("FutureReturnValueIgnored") // It is the one that is kept.
  void say(TaskRequests requests, String session) throws InterruptedException {
    CompletableFuture<?> ended = requests.end(session);
    unanswered.add(ended);
    ended.whenComplete((ignored, failure) -> unanswered.remove(ended));
  }

  /** Waits until all are ended, or it has been long enough. */
  void await(Duration atMost) throws InterruptedException {
    try {
      CompletableFuture.allOf(unanswered.toArray(CompletableFuture<?>[]::new))
          .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // They are in the topic, and will be ended when a worker comes to them.
      return;
    }
  }
}
