package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** Stepwell failed, and the step's code is not to blame. */
public final class InfrastructureException extends StepException {
  private static final long serialVersionUID = 1L;

  InfrastructureException(ExecutionResult result, String message) {
    super(result, message);
  }

  /**
   * Whether the step's code has certainly not run, so that sending the same step again can repeat
   * no effect.
   */
  public boolean retrySafe() {
    return result().error() != null && result().error().retrySafe();
  }
}
