package dev.stepwell.cli.eval;

import dev.stepwell.protocol.RequestLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a step gets unless it says otherwise; immutable.
 *
 * @param limits its limits; an absent one is the profile's
 * @param profile the kind of sandbox, or null for the worker's default
 * @param environment variables that it has
 * @param prelude source that runs before each Python step's own, or null
 */
record StepDefaults(
    RequestLimits limits,
    @Nullable String profile,
    Map<String, String> environment,
    @Nullable String prelude) {
  /** The names of the fields that say it. */
  static final Set<String> FIELDS =
      Set.of(
          "wallTimeMs",
          "memoryBytes",
          "outputBytes",
          "stateBytes",
          "profile",
          "environment",
          "prelude");

  StepDefaults {
    environment = Map.copyOf(environment);
  }

  /** What an object says, and what it doesn't say as it is here. */
  StepDefaults with(TaskFields fields) {
    Map<String, String> variables = new HashMap<>(environment);
    variables.putAll(fields.textsByName("environment"));
    return new StepDefaults(
        new RequestLimits(
            or(fields.integer("wallTimeMs"), limits.wallTimeMs()),
            or(fields.integer("memoryBytes"), limits.memoryBytes()),
            or(fields.integer("outputBytes"), limits.outputBytes()),
            or(fields.integer("stateBytes"), limits.stateBytes())),
        or(fields.text("profile"), profile),
        variables,
        or(fields.text("prelude"), prelude));
  }

  private static <T> @Nullable T or(@Nullable T said, @Nullable T otherwise) {
    return said == null ? otherwise : said;
  }
}
