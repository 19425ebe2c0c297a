package dev.stepwell.protocol;

/**
 * How a step ended. Every request gets exactly one.
 *
 * <p>The first seven say what the step's own code did, {@link #CANCELLED} and {@link #REJECTED}
 * what its publisher did, and {@link #INFRASTRUCTURE} is the only one that is Stepwell's fault.
 */
public enum Outcome {
  /** The source ran to its end, or the command exited with 0. */
  COMPLETED,
  /** An exception left the Python source, a syntax error among them. State is kept. */
  FAILED,
  /**
   * The step ended itself: {@code sys.exit}, {@code os._exit}, or a command's code other than 0.
   */
  EXITED,
  /** The wall-clock limit came first. State stays as the step before left it. */
  TIMED_OUT,
  /** The memory limit came first. State stays as the step before left it. */
  OUT_OF_MEMORY,
  /** Another limit ended the step: processes or disk. State stays as the step before left it. */
  LIMIT_EXCEEDED,
  /** A signal that was not ours ended the step. State stays as the step before left it. */
  CRASHED,
  /** The publisher cancelled the request before it ended. */
  CANCELLED,
  /** The request was not run, for a reason that lies in the request. */
  REJECTED,
  /** Stepwell failed. {@link ResultError#retrySafe()} says whether the code may have run. */
  INFRASTRUCTURE;

  /** Whether this outcome tells about code that ran, rather than about the request or Stepwell. */
  public boolean ofUserCode() {
    return switch (this) {
      case COMPLETED, FAILED, EXITED, TIMED_OUT, OUT_OF_MEMORY, LIMIT_EXCEEDED, CRASHED -> true;
      case CANCELLED, REJECTED, INFRASTRUCTURE -> false;
    };
  }
}
