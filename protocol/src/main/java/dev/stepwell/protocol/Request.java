package dev.stepwell.protocol;

import org.jspecify.annotations.Nullable;

/** What the request topic carries: a step to run, or an operation that runs no code; immutable. */
public sealed interface Request permits ExecutionRequest, SessionRequest {
  /** The version of the request format that these classes are. */
  int VERSION = 1;

  /**
   * The publisher's name for this request, unique for ever: 1 to 128 printable ASCII characters.
   */
  String requestId();

  /** The session that it belongs to, or null for none. */
  @Nullable String sessionId();

  /** When it must have started, in milliseconds since the epoch; null for any time. */
  @Nullable Long deadlineMs();

  /** The topic for the result; null for {@code stepwell.results}. */
  @Nullable String replyTo();

  /** Whether this request belongs to no session. */
  default boolean oneShot() {
    return sessionId() == null;
  }

  /** The Kafka key that this request must be published under. */
  default String key() {
    String session = sessionId();
    return session != null ? session : requestId();
  }
}
