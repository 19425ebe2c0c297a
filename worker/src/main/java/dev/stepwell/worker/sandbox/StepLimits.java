package dev.stepwell.worker.sandbox;

/**
 * A profile's bounds for what requests may ask; immutable.
 *
 * @param defaults what a step gets that asks for nothing
 * @param maximum the most a step may ask for
 */
public record StepLimits(Bounds defaults, Bounds maximum) {
  /**
   * One limit of each kind.
   *
   * @param wallTimeMs wall-clock time of the step's own code, milliseconds
   * @param memoryBytes private memory of the step's process, bytes
   * @param outputBytes bytes kept of each of stdout and stderr
   * @param stateBytes bytes of the snapshot that a step may leave
   */
  public record Bounds(long wallTimeMs, long memoryBytes, long outputBytes, long stateBytes) {}
}
