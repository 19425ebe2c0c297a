package dev.stepwell.worker.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.stepwell.worker.runner.ReadyRunner;
import org.jspecify.annotations.Nullable;

/**
 * The handle by which others end a step that a slot thread runs. Thread-safe.
 *
 * <p>A step is <i>cancelled</i> when its publisher wants it to end: it gets an answer. It is
 * <i>abandoned</i> when this worker has no business with it any more: it gets none from here.
 */
public final class RunningStep {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable Thread slot;

  @GuardedBy("lock")
  private @Nullable ReadyRunner runner;

  @GuardedBy("lock")
  private boolean cancelled;

  @GuardedBy("lock")
  private boolean abandoned;

  /** Says that the calling thread runs the step; it is interrupted if the step is abandoned. */
  public void begin() {
    synchronized (lock) {
      slot = Thread.currentThread();
      if (abandoned) {
        slot.interrupt();
      }
    }
  }

  /** Says that the calling thread is done with the step, and clears an interrupt meant for it. */
  public void end() {
    synchronized (lock) {
      slot = null;
      runner = null;
      if (abandoned) {
        Thread.interrupted();
      }
    }
  }

  /** Says which runner has the step; false if the step is to end without running. */
  boolean hold(ReadyRunner taken) {
    synchronized (lock) {
      runner = taken;
      return !cancelled && !abandoned;
    }
  }

  /** Says that the runner is done, so that ending the step can no longer reach it. */
  void letGo() {
    synchronized (lock) {
      runner = null;
    }
  }

  /** Ends the step; it is answered as cancelled. */
  void cancel() {
    ReadyRunner running;
    synchronized (lock) {
      cancelled = true;
      running = runner;
    }
    if (running != null) {
      running.kill();
    }
  }

  /** Ends the step at once and lets its answer go. */
  public void abandon() {
    ReadyRunner running;
    synchronized (lock) {
      abandoned = true;
      running = runner;
      if (slot != null) {
        slot.interrupt();
      }
    }
    if (running != null) {
      running.kill();
    }
  }

  boolean cancelled() {
    synchronized (lock) {
      return cancelled;
    }
  }

  boolean abandoned() {
    synchronized (lock) {
      return abandoned;
    }
  }
}
