package dev.stepwell.worker.sandbox;

import org.jspecify.annotations.Nullable;

/** A sandbox could not be made, reached or cleaned up. Never the fault of a step's code. */
public final class SandboxException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean permanent;

  private SandboxException(String message, @Nullable Throwable cause, boolean permanent) {
    super(message, cause);
    this.permanent = permanent;
  }

  /** A failure that may pass: the same call can succeed later. */
  public static SandboxException passing(String message, @Nullable Throwable cause) {
    return new SandboxException(message, cause, false);
  }

  /** A failure that stays until somebody mends the installation: a missing image, say. */
  public static SandboxException permanent(String message, @Nullable Throwable cause) {
    return new SandboxException(message, cause, true);
  }

  /** Whether trying again is of no use. */
  public boolean permanent() {
    return permanent;
  }
}
