package dev.stepwell.cli.log;

import java.io.IOException;

/** A line can't be read; never leaves this package. */
final class LineException extends IOException {
  private static final long serialVersionUID = 1L;

  LineException(String message) {
    super(message);
  }
}
