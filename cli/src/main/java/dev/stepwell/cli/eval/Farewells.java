package dev.stepwell.cli.eval;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends sessions that nobody needs any more, and waits for that at the end alone; thread-safe. */
final class Farewells {
  private final Map<String, CompletableFuture<?>> unanswered = new ConcurrentHashMap<>();

  /** Has a session forgotten. What comes of it nobody looks at: it is about order, not results. */
  @SuppressWarnings("FutureReturnValueIgnored") // It is the one that is kept.
  void say(TaskRequests requests, String session) throws InterruptedException {
    CompletableFuture<?> ended = requests.end(session);
    String id = requests.id(session);
    unanswered.put(id, ended);
    ended.whenComplete((ignored, failure) -> unanswered.remove(id));
  }

  /** Waits until all are ended, or it has been long enough. */
  void await(Duration atMost) throws InterruptedException {
    try {
      CompletableFuture.allOf(unanswered.values().toArray(CompletableFuture<?>[]::new))
          .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // They are in the topic, and will be ended when a worker comes to them.
      return;
    }
  }
}
