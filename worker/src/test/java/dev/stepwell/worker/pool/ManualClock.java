package dev.stepwell.worker.pool;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that a test moves. Thread-safe. Begins near overflow, as {@code nanoTime} may. */
final class ManualClock implements LongSupplier {
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - Duration.ofMillis(1).toNanos());

  void advance(Duration by) {
    nowNs.addAndGet(by.toNanos());
  }

  @Override
  public long getAsLong() {
    return nowNs.get();
  }
}
