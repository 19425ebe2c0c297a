package dev.stepwell.client;

/** As many requests as are allowed had no answer yet, for too long. The request was not sent. */
public final class TooManyInFlightException extends StepwellException {
  private static final long serialVersionUID = 1L;

  TooManyInFlightException(int limit, long waitedMs) {
    super(
        "%d requests, the limit, have no answer, and none came for %d ms: raise maxInFlight, or"
                .formatted(limit, waitedMs)
            + " add workers",
        null);
  }
}
