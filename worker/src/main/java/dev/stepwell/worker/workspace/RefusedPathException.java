package dev.stepwell.worker.workspace;

/** A workspace can't hold this entry; the others are not affected. */
public final class RefusedPathException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String reason;

  RefusedPathException(String path, String reason) {
    super(path + ": " + reason);
    this.path = path;
    this.reason = reason;
  }

  /** Where it would have been, as it was named. */
  public String path() {
    return path;
  }

  /** Why not. */
  public String reason() {
    return reason;
  }
}
