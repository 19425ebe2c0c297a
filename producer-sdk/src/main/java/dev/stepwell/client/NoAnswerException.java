package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/**
 * No answer came within the time that the caller allowed. The request stands: its step may be
 * waiting, running, or done, and {@link #execution} can be awaited again or cancelled.
 */
public final class NoAnswerException extends StepwellException {
  private static final long serialVersionUID = 1L;

  /** Not for serialization: it is bound to its client. */
  private final transient Execution execution;

  NoAnswerException(Execution execution, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.execution = execution;
  }

  /** What is still to be answered. */
  public Execution execution() {
    return execution;
  }
}
