package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that a snapshot could not keep; immutable.
 *
 * @param name the top-level variable
 * @param path the way from the variable to the value, such as {@code config['lock']}
 * @param type the value's type, such as {@code builtins.generator}
 * @param reason why it can't be kept
 * @param hint what to do instead, or null
 */
public record LostValue(
    String name, String path, String type, String reason, @Nullable String hint) {
  public LostValue {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(reason, "reason");
  }
}
