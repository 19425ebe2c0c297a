package dev.stepwell.protocol;

import java.util.Map;
import java.util.Objects;

/**
 * The value of a step's last expression, or something that the step showed while it ran, as its
 * sandbox described it; immutable.
 *
 * @param text what {@code repr} made of it, cut at 64 KiB
 * @param type its type, such as {@code builtins.int}; empty for forms that were shown without an
 *     object
 * @param mime richer forms by media type: text as it is, binary as Base64; empty for most values
 */
public record Value(String text, String type, Map<String, String> mime) {
  public Value {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(type, "type");
    mime = Map.copyOf(mime);
  }
}
