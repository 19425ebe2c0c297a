package dev.stepwell.cli.compare;

import org.jspecify.annotations.Nullable;

/** An ignore rule can't be used; the message names it and says what rules look like. */
public final class IgnoreRuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IgnoreRuleException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
