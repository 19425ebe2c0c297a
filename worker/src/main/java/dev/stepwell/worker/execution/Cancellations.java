package dev.stepwell.worker.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which requests are to be cancelled, and which run and could be. Thread-safe.
 *
 * <p>A cancel may arrive before its request, while it is queued, or while it runs. The newest
 * cancels are remembered, so that in the first two cases the request is answered without running.
 */
public final class Cancellations {
  private static final int REMEMBERED = 10_000;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Set<String> requested = new LinkedHashSet<>();

  @GuardedBy("lock")
  private final Map<String, RunningStep> running = new HashMap<>();

  /** Cancels a request, whether it runs or is still to come. */
  public void cancel(String requestId) {
    RunningStep step;
    synchronized (lock) {
      requested.add(requestId);
      if (requested.size() > REMEMBERED) {
        requested.remove(requested.iterator().next());
      }
      step = running.get(requestId);
    }
    if (step != null) {
      step.cancel();
    }
  }

  /** Takes note that a request runs; false if it was cancelled before. */
  boolean enter(String requestId, RunningStep step) {
    synchronized (lock) {
      running.put(requestId, step);
      return !requested.contains(requestId);
    }
  }

  void leave(String requestId, RunningStep step) {
    synchronized (lock) {
      running.remove(requestId, step);
      requested.remove(requestId);
    }
  }
}
