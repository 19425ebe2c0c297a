package dev.stepwell.worker.config;

import org.jspecify.annotations.Nullable;

/**
 * What a setting is when nobody sets it; immutable.
 *
 * @param literal the value as a file would have it; null where there is none, or where it is
 *     computed from the machine or from other settings
 * @param documented what the documentation says
 */
record Fallback(@Nullable String literal, String documented) {
  /** It has to be set. */
  static final Fallback REQUIRED = new Fallback(null, "required");

  /** Nothing. */
  static final Fallback EMPTY = new Fallback("", "empty");

  static Fallback of(String literal) {
    return new Fallback(literal, "`" + literal + "`");
  }

  static Fallback computed(String documented) {
    return new Fallback(null, documented);
  }
}
