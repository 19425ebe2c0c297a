package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exception that left a step's source; immutable.
 *
 * @param name its class, as a traceback names it: {@code ValueError}, {@code json.JSONDecodeError}
 * @param message what {@code str} makes of it
 * @param traceback what Python prints for it, with the user's own lines and no frame of Stepwell's
 * @param line the line of the step's source that it came from, from 1; null where there is none
 */
public record ExceptionReport(
    String name, String message, String traceback, @Nullable Integer line) {
  public ExceptionReport {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(traceback, "traceback");
  }
}
