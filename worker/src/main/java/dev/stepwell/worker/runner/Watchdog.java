package dev.stepwell.worker.runner;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does something at a later time unless it is called off. Thread-safe.
 *
 * <p>Actions may block, so they run on threads of their own: one sandbox that is slow to destroy
 * must not delay the limits of the others.
 */
final class Watchdog implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock;
  private final ExecutorService actions;

  Watchdog() {
    this.clock = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "runner-clock"));
    // Most are called off long before their time.
    clock.setRemoveOnCancelPolicy(true);
    this.actions = Executors.newCachedThreadPool(task -> daemon(task, "runner-watchdog"));
  }

  /** Runs the action after so many milliseconds. Cancel what it returns to call that off. */
  Future<?> after(long delayMs, Runnable action) {
    return clock.schedule(() -> actions.execute(action), delayMs, TimeUnit.MILLISECONDS);
  }

  /** Runs the action at once, on another thread. */
  void now(Runnable action) {
    actions.execute(action);
  }

  /** Calls everything off. */
  @Override
  public void close() {
    clock.shutdownNow();
    actions.shutdown();
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
