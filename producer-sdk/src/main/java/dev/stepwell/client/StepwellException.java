package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/**
 * Whatever keeps a caller from having what it asked for. Its kinds are pictured in the description
 * of this package.
 */
public abstract class StepwellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StepwellException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
