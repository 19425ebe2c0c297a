package dev.stepwell.cli.run;

import org.jspecify.annotations.Nullable;

/** Why a request of a run gets no {@link Answer}. The message says it for people. */
public final class CourierException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is in the way. */
  public enum Kind {
    /** The request has more bytes than Kafka takes. It was not published. */
    TOO_LARGE,
    /** Kafka refuses the request for another reason, such as missing rights. */
    REFUSED,
    /** There is an answer, but not one that this program understands. */
    UNREADABLE,
    /** Results can't be read any more. What was published may still run. */
    BROKEN,
    /** The courier was closed. What was published may still run. */
    CLOSED
  }

  private final Kind kind;

  /** Made by the courier, and by what stands for one in tests. */
  public CourierException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What is in the way. */
  public Kind kind() {
    return kind;
  }
}
