package dev.stepwell.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What a request asks for within its profile's bounds; immutable. An absent limit is the profile's
 * default, one beyond the profile's maximum is rejected.
 *
 * @param wallTimeMs wall-clock time of the step's own code in milliseconds, at least 1
 * @param memoryBytes private memory of the step's process in bytes, at least 1 MiB
 * @param outputBytes bytes kept of each of stdout and stderr, at least 0; the rest is counted
 * @param stateBytes bytes of the snapshot that the step may leave, at least 0
 */
public record RequestLimits(
    @Nullable Long wallTimeMs,
    @Nullable Long memoryBytes,
    @Nullable Long outputBytes,
    @Nullable Long stateBytes) {

  /** No limit asked for: the profile's defaults throughout. */
  public static final RequestLimits DEFAULTS = new RequestLimits(null, null, null, null);

  private static final long MIN_MEMORY_BYTES = 1L << 20;

  public RequestLimits {
    Checks.atLeast("limits.wallTimeMs", wallTimeMs, 1);
    Checks.atLeast("limits.memoryBytes", memoryBytes, MIN_MEMORY_BYTES);
    Checks.atLeast("limits.outputBytes", outputBytes, 0);
    Checks.atLeast("limits.stateBytes", stateBytes, 0);
  }
}
