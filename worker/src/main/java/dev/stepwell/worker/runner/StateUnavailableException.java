package dev.stepwell.worker.runner;

/**
 * The state that a step starts from can't be had, and its code has not run. The cause is what the
 * {@link PieceSupply} failed with.
 */
public final class StateUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  StateUnavailableException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
