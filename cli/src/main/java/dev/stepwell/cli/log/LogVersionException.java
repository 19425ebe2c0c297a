package dev.stepwell.cli.log;

import java.io.IOException;

/** A log was written in a newer version of the format than this program reads. */
public final class LogVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int found;

  LogVersionException(String file, int found, int read) {
    super(
        "%s is a log of version %d, and this stepwell reads version %d: read it with the stepwell that recorded it, or a newer one"
            .formatted(file, found, read));
    this.found = found;
  }

  /** The version of the log. */
  public int found() {
    return found;
  }
}
