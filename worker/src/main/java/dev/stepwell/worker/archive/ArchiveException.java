package dev.stepwell.worker.archive;

import org.jspecify.annotations.Nullable;

/** A snapshot can't be read, told or restored; the message says which one, why, and what to do. */
public final class ArchiveException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean permanent;

  ArchiveException(String message, @Nullable Throwable cause, boolean permanent) {
    super(message, cause);
    this.permanent = permanent;
  }

  /**
   * Whether it is gone, damaged or none, so that trying again is of no use; false where a broker or
   * an object store did not answer.
   */
  public boolean permanent() {
    return permanent;
  }

  static ArchiveException permanent(String message, @Nullable Throwable cause) {
    return new ArchiveException(message, cause, true);
  }
}
