package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** No state is retained of the step that was asked for, nor of one before it. */
public final class StateUnavailableException extends RequestRejectedException {
  private static final long serialVersionUID = 1L;

  StateUnavailableException(ExecutionResult result, String message) {
    super(result, message);
  }
}
