package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a step was not run, or not run to its end; immutable.
 *
 * @param code the reason, for programs
 * @param message the reason for people: the input, the limit and the way out
 * @param field the JSON path of the field at fault, or null
 * @param retrySafe whether the step's code has certainly not run, so that sending the same work
 *     again can repeat no effect
 */
public record ResultError(
    ErrorCode code, String message, @Nullable String field, boolean retrySafe) {
  public ResultError {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }
}
