package dev.stepwell.worker;

import org.jspecify.annotations.Nullable;

/** A worker could not start. The message says what is wrong and what to do. */
public final class WorkerStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WorkerStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
