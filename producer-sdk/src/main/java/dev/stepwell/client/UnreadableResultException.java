package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/**
 * The request was answered, in a way that this client doesn't understand: most likely a worker that
 * is newer than the client.
 */
public final class UnreadableResultException extends StepwellException {
  private static final long serialVersionUID = 1L;

  UnreadableResultException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
