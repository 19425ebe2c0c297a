package dev.stepwell.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a request to be ended early; immutable. It may come before its request is read, and has
 * no effect on one that has been answered.
 *
 * @param requestId the request to cancel
 * @param sessionId its session, or null for a one-shot
 */
public record CancelRequest(String requestId, @Nullable String sessionId) {
  /** The version of the cancel format that this class is. */
  public static final int VERSION = 1;

  public CancelRequest {
    Checks.id("requestId", requestId);
    if (sessionId != null) {
      Checks.id("sessionId", sessionId);
    }
  }
}
