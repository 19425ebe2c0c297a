package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says why a message is not acceptable: a code for programs, and a sentence for people that names
 * the input, the limit and the way out.
 *
 * <p>{@link dev.stepwell.protocol.codec.RequestSalvage} finds out whom to answer nevertheless.
 */
public final class InvalidMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final @Nullable String field;

  /**
   * @param code the reason
   * @param field the JSON path of the offending field, or null where it is the whole message
   * @param message the sentence for people
   */
  public InvalidMessageException(ErrorCode code, @Nullable String field, String message) {
    super(message);
    this.code = Objects.requireNonNull(code, "code");
    this.field = field;
  }

  /** The reason, for programs. */
  public ErrorCode code() {
    return code;
  }

  /** The JSON path of the offending field, or null where it is the whole message. */
  public @Nullable String field() {
    return field;
  }
}
