package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** There is no such session: it has had no step, has ended, or has expired. */
public final class SessionUnknownException extends RequestRejectedException {
  private static final long serialVersionUID = 1L;

  SessionUnknownException(ExecutionResult result, String message) {
    super(result, message);
  }
}
