package dev.stepwell.protocol;

/**
 * What of a step's output was left out because it was beyond the limit; immutable.
 *
 * @param stdoutBytes bytes of standard output left out, at its end
 * @param stderrBytes bytes of standard error left out, at its end
 */
public record Truncation(long stdoutBytes, long stderrBytes) {
  /** Nothing was left out. */
  public static final Truncation NONE = new Truncation(0, 0);

  public Truncation {
    Checks.atLeast("truncation.stdoutBytes", stdoutBytes, 0);
    Checks.atLeast("truncation.stderrBytes", stderrBytes, 0);
  }
}
