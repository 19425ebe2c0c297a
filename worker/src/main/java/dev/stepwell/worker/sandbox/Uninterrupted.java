package dev.stepwell.worker.sandbox;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for what must not be abandoned half-done. A sandbox whose making was interrupted midway
 * would be nobody's, and nobody could end it.
 */
public final class Uninterrupted {
  private Uninterrupted() {}

  /**
   * Waits for the result, through interrupts; the thread is interrupted afterwards if it was
   * meanwhile.
   *
   * @param timeoutMs how long, in milliseconds
   * @throws ExecutionException if the task failed
   * @throws TimeoutException if it has not ended by then
   */
  public static <T> T get(Future<T> future, long timeoutMs)
      throws ExecutionException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
