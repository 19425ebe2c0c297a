package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** The step was cancelled before it ended. */
public final class StepCancelledException extends StepException {
  private static final long serialVersionUID = 1L;

  StepCancelledException(ExecutionResult result, String message) {
    super(result, message);
  }
}
