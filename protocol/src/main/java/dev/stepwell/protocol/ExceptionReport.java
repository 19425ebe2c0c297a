package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exception that left a step's source; immutable.
 *
 * @param name its class, as a traceback names it: {@code ValueError}, {@code json.JSONDecodeError}
 * @param message what {@code str} makes of it
 * @param traceback what Python prints for it, with the user's own lines and no frame of Stepwell's
 * @param line where in the step's own text it came from, from 1: the line of its source or of its
 *     prelude, whichever of the two the traceback names last; null where it names neither.
 *     Functions that earlier steps made are not the step's own text
 */
public record ExceptionReport(
    String name, String message, String traceback, @Nullable Integer line) {
  public ExceptionReport {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(traceback, "traceback");
  }
}
