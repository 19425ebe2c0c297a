package dev.stepwell.cli.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sees to it that what was started is closed also when a signal ends the process; thread-safe. What
 * is watched is closed once, by whoever is first, and the others wait until it is.
 */
public final class Ending implements AutoCloseable {
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private final AutoCloseable watched;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::closeAtEnd, "ending");

  private Ending(AutoCloseable watched) {
    this.watched = watched;
  }

  /** Watches something until it is closed through the watch. */
  public static Ending watch(AutoCloseable watched) {
    Ending ending = new Ending(watched);
    Runtime.getRuntime().addShutdownHook(ending.hook);
    return ending;
  }

  /** Whether the process is ending, so that failures are to be expected. */
  public static boolean begun() {
    return BEGUN.get();
  }

  @Override
  public void close() {
    closeOnce();
    if (!begun()) {
      removeHook();
    }
  }

  private void closeAtEnd() {
    BEGUN.set(true);
    closeOnce();
  }

  private void closeOnce() {
    if (!closing.compareAndSet(false, true)) {
      awaitClosed();
      return;
    }
    try {
      watched.close();
    } catch (Exception e) {
      System.err.println("stepwell: not everything could be closed: " + e.getMessage());
    } finally {
      closed.countDown();
    }
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process began to end just now: the hook finds everything closed.
      BEGUN.set(true);
    }
  }
}
