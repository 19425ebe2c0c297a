package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a step used, as seen from outside its process; immutable.
 *
 * @param cpuMs processor time of everything in the sandbox, in milliseconds; null where unknown
 * @param peakMemoryBytes the most memory that was in use at once; null where unknown
 * @param enforcement how memory and processes were limited: {@code cgroup}, {@code rlimit} or
 *     {@code none}
 */
public record Usage(@Nullable Double cpuMs, @Nullable Long peakMemoryBytes, String enforcement) {
  /** Nothing ran. */
  public static final Usage NONE = new Usage(null, null, "none");

  public Usage {
    Checks.measured("usage.cpuMs", cpuMs);
    Checks.atLeast("usage.peakMemoryBytes", peakMemoryBytes, 0);
    Objects.requireNonNull(enforcement, "enforcement");
  }
}
