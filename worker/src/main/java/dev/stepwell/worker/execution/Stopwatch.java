package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Timings;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Measures the phases of one request. Not thread-safe: owned by the slot thread that runs it.
 *
 * <p>The queueing time is the difference of two machines' wall clocks; everything after it is one
 * machine's monotonic clock, split where the phases meet.
 */
final class Stopwatch {
  private static final double NANOS_PER_MS = 1e6;

  private final LongSupplier nanos;
  private final double queuedMs;
  private long markNanos;
  private double acquiredMs;
  private double restoredMs;
  private double ranMs;
  private double savedMs;

  Stopwatch(Clock clock, LongSupplier nanos, long publishedMs) {
    this.nanos = nanos;
    this.queuedMs = Math.max(0, clock.millis() - publishedMs);
    this.markNanos = nanos.getAsLong();
  }

  /** The sandbox is there; what follows is restoring, until {@link #ran}. */
  void acquired() {
    acquiredMs = lap();
  }

  /** The conversation is over; it has measured its own parts, the rest is restoring. */
  void ran(double ranPartMs, double savedPartMs) {
    double wholeMs = lap();
    ranMs = Math.min(ranPartMs, wholeMs);
    savedMs = Math.min(savedPartMs, wholeMs - ranMs);
    // The difference of differences can miss zero by a rounding error, which is no time.
    restoredMs = Math.max(0, wholeMs - ranMs - savedMs);
  }

  /** The result is about to be handed over. */
  Timings timings() {
    return new Timings(queuedMs, acquiredMs, restoredMs, ranMs, savedMs, lap());
  }

  private double lap() {
    long nowNanos = nanos.getAsLong();
    double ms = (nowNanos - markNanos) / NANOS_PER_MS;
    markNanos = nowNanos;
    return Math.max(0, ms);
  }
}
