package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** The step's own code ran into a limit on memory, processes or disk. */
public final class StepLimitException extends StepException {
  private static final long serialVersionUID = 1L;

  StepLimitException(ExecutionResult result, String message) {
    super(result, message);
  }
}
