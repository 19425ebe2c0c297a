package dev.stepwell.protocol;

/**
 * Where a request's time went, in milliseconds with fractions; immutable. Phases follow each other,
 * so their sum is the time from publication until the result was handed to its transaction.
 *
 * @param queuedMs from the request's Kafka timestamp until a worker's slot took it; clocks of two
 *     machines are compared here, so it is never below 0 but may be off by their difference
 * @param acquiredMs until a sandbox had been taken from the pool
 * @param restoredMs until the session's state was back and the step's code was about to start
 * @param ranMs until the step's code had ended
 * @param savedMs until the new snapshot had been received
 * @param committedMs until the result was handed to the transaction that publishes it
 */
public record Timings(
    double queuedMs,
    double acquiredMs,
    double restoredMs,
    double ranMs,
    double savedMs,
    double committedMs) {
  /** No time measured. */
  public static final Timings NONE = new Timings(0, 0, 0, 0, 0, 0);

  public Timings {
    Checks.measured("timings.queuedMs", queuedMs);
    Checks.measured("timings.acquiredMs", acquiredMs);
    Checks.measured("timings.restoredMs", restoredMs);
    Checks.measured("timings.ranMs", ranMs);
    Checks.measured("timings.savedMs", savedMs);
    Checks.measured("timings.committedMs", committedMs);
  }
}
