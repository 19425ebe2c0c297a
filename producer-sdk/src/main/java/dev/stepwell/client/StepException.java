package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** A step that did not complete, as {@link Results#orThrow} reports it. */
public abstract class StepException extends StepwellException {
  private static final long serialVersionUID = 1L;

  /** Not for serialization: nothing sends exceptions about, and results are no serializables. */
  private final transient ExecutionResult result;

  StepException(ExecutionResult result, String message) {
    super(message, null);
    this.result = result;
  }

  /** The result that says so, with all that the step had put out by then. */
  public final ExecutionResult result() {
    return result;
  }
}
