package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** The request was not run, for a reason that lies in the request. */
public sealed class RequestRejectedException extends StepException
    permits SessionExistsException,
        SessionUnknownException,
        StateUnavailableException,
        FileMissingException,
        FileRefusedException {
  private static final long serialVersionUID = 1L;

  RequestRejectedException(ExecutionResult result, String message) {
    super(result, message);
  }
}
