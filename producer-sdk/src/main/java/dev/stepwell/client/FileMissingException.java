package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/** The workspace has nothing at that path. */
public final class FileMissingException extends RequestRejectedException {
  private static final long serialVersionUID = 1L;

  FileMissingException(ExecutionResult result, String message) {
    super(result, message);
  }
}
