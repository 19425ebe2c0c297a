package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** A fork was to have the id of a session that there is already. */
public final class SessionExistsException extends RequestRejectedException {
  private static final long serialVersionUID = 1L;

  SessionExistsException(ExecutionResult result, String message) {
    super(result, message);
  }
}
