package dev.stepwell.cli.eval;

import dev.stepwell.protocol.RequestLimits;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every step of every task gets unless it says otherwise; immutable.
 *
 * @param wallTime how long its code may run, or null for the profile's default
 * @param profile the kind of sandbox, or null for the worker's default
 */
public record TaskLimits(@Nullable Duration wallTime, @Nullable String profile) {
  StepDefaults defaults() {
    Long wallTimeMs = wallTime == null ? null : wallTime.toMillis();
    return new StepDefaults(
        new RequestLimits(wallTimeMs, null, null, null), profile, Map.of(), null);
  }
}
