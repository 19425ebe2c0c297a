package dev.stepwell.worker.state.store;

/** An object can't be read or written. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Kind {
    /** There is no such object. */
    NOT_FOUND,
    /** The store does not let this worker do it. */
    DENIED,
    /** The store did not answer, or not as it should; it may another time. */
    UNAVAILABLE
  }

  private final Kind kind;

  /** The message says what to do; it holds no secret. */
  public StoreException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }

  /** Whether trying again is of no use. */
  public boolean permanent() {
    return kind != Kind.UNAVAILABLE;
  }
}
