package dev.stepwell.cli.replay;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The log can't be read any more. */
final class LogReadException extends UncheckedIOException {
  private static final long serialVersionUID = 1L;

  LogReadException(IOException cause) {
    super("the log can't be read: " + cause.getMessage(), cause);
  }
}
