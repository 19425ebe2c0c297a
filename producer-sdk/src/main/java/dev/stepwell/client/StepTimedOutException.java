package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** The step's own code ran into its wall-clock limit. */
public final class StepTimedOutException extends StepException {
  private static final long serialVersionUID = 1L;

  StepTimedOutException(ExecutionResult result, String message) {
    super(result, message);
  }
}
