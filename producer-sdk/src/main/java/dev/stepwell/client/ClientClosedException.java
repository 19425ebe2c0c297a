package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/** The client was closed. A request that had no answer then may still run. */
public final class ClientClosedException extends StepwellException {
  private static final long serialVersionUID = 1L;

  ClientClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
