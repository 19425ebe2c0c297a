package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** The step's own code failed: it raised, exited with a code other than 0, or died of a signal. */
public final class StepFailedException extends StepException {
  private static final long serialVersionUID = 1L;

  StepFailedException(ExecutionResult result, String message) {
    super(result, message);
  }
}
