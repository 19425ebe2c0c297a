package dev.stepwell.cli.eval;

import dev.stepwell.client.Step;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What every step of every task gets unless it says otherwise; immutable.
 *
 * @param wallTime how long its code may run, or null for the profile's default
 * @param profile the kind of sandbox, or null for the worker's default
 */
public record TaskLimits(@Nullable Duration wallTime, @Nullable String profile) {
  /** The step under these limits. */
  Step apply(Step step) {
    Step timed = wallTime == null ? step : step.wallTime(wallTime);
    return profile == null ? timed : timed.profile(profile);
  }
}
