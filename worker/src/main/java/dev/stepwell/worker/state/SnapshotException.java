package dev.stepwell.worker.state;

import org.jspecify.annotations.Nullable;

/** A committed snapshot can't be had. */
public final class SnapshotException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean permanent;

  public SnapshotException(String message, @Nullable Throwable cause, boolean permanent) {
    super(message, cause);
    this.permanent = permanent;
  }

  /** Whether it is gone or damaged, so that reading it again is of no use. */
  public boolean permanent() {
    return permanent;
  }
}
