package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to do something to or about a session without running code; immutable. It takes its
 * turn among the session's steps.
 *
 * @param requestId the publisher's name for this request, unique for ever: 1 to 128 printable ASCII
 *     characters; a session that has seen it ignores it the second time
 * @param sessionId the session; null only where the operation reads a state by its reference and so
 *     needs none
 * @param operation what to do
 * @param deadlineMs when it must have started, in milliseconds since the epoch; null for any time
 * @param replyTo the topic for the result; null for {@code stepwell.results}
 */
public record SessionRequest(
    String requestId,
    @Nullable String sessionId,
    SessionOperation operation,
    @Nullable Long deadlineMs,
    @Nullable String replyTo)
    implements Request {

  /**
   * Validates.
   *
   * @throws InvalidMessageException naming the first field that is wrong
   */
  public SessionRequest {
    Checks.id("requestId", requestId);
    Objects.requireNonNull(operation, "operation");
    if (sessionId != null || !operation.readsReference()) {
      Checks.id("sessionId", sessionId);
    }
    Checks.atLeast("deadlineMs", deadlineMs, 0);
    Checks.name("replyTo", replyTo);
  }
}
