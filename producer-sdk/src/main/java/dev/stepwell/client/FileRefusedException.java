package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/**
 * A file can't be read or put: it is no regular file, something is in its way, or it is beyond the
 * workspace's caps.
 */
public final class FileRefusedException extends RequestRejectedException {
  private static final long serialVersionUID = 1L;

  FileRefusedException(ExecutionResult result, String message) {
    super(result, message);
  }
}
