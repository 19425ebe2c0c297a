package dev.stepwell.worker.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * How many requests, and how many bytes of them, a worker holds that it has not answered.
 * Thread-safe.
 *
 * <p>Intake takes permits for a whole poll before it polls, because a poll can't be told to bring
 * less; the dispatcher gives them back as requests are answered or let go.
 */
public final class IntakeBudget {
  private final int maxRequests;
  private final long maxBytes;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private int requests;

  @GuardedBy("lock")
  private long bytes;

  /**
   * @param maxRequests the most requests to hold, at least the size of one poll
   * @param maxBytes the bytes at which no further poll is made; one poll may exceed it
   */
  public IntakeBudget(int maxRequests, long maxBytes) {
    this.maxRequests = maxRequests;
    this.maxBytes = maxBytes;
  }

  /** Takes permits for a poll of up to {@code count} requests, or takes none and says false. */
  public boolean tryReserve(int count) {
    synchronized (lock) {
      if (requests + count > maxRequests || bytes >= maxBytes) {
        return false;
      }
      requests += count;
      return true;
    }
  }

  /** Says what a poll for which {@code reserved} permits were taken has really brought. */
  public void settle(int reserved, int received, long receivedBytes) {
    synchronized (lock) {
      requests -= reserved - received;
      bytes += receivedBytes;
    }
  }

  /** Gives back what requests that are answered or let go had held. */
  void release(int count, long releasedBytes) {
    synchronized (lock) {
      requests -= count;
      bytes -= releasedBytes;
    }
  }

  /** Requests held, permits of a poll under way included. */
  public int requests() {
    synchronized (lock) {
      return requests;
    }
  }
}
