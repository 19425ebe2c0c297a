package dev.stepwell.worker.pool;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A pool at one moment; immutable.
 *
 * @param maxSandboxes the bound over all profiles
 * @param profiles each profile's part, by name
 */
public record PoolFigures(int maxSandboxes, Map<String, OfProfile> profiles) {
  public PoolFigures {
    profiles = Collections.unmodifiableMap(new TreeMap<>(profiles));
  }

  /** Sandboxes of all profiles, in whatever state. */
  public int sandboxes() {
    return profiles.values().stream().mapToInt(OfProfile::sandboxes).sum();
  }

  /**
   * One profile's part; immutable.
   *
   * @param starting sandboxes that a creator is at work on
   * @param idle sandboxes that wait for their step
   * @param taken sandboxes that takers have
   * @param destroying sandboxes that are being removed
   * @param waiting takers that wait
   * @param wantedIdle how many idle ones demand asks for, within the profile's bounds
   * @param created sandboxes started so far
   * @param failed creations that failed so far
   * @param longestTakenMs for how long the longest-taken sandbox has been, milliseconds; 0 for none
   */
  public record OfProfile(
      int starting,
      int idle,
      int taken,
      int destroying,
      int waiting,
      int wantedIdle,
      long created,
      long failed,
      long longestTakenMs) {
    /** All of them, in whatever state. */
    public int sandboxes() {
      return starting + idle + taken + destroying;
    }

    @Override
    public String toString() {
      return "idle %d of %d wanted, starting %d, taken %d, destroying %d, waiting takers %d"
          .formatted(idle, wantedIdle, starting, taken, destroying, waiting);
    }
  }

  @Override
  public String toString() {
    return "%s; all profiles %d of at most %d".formatted(profiles, sandboxes(), maxSandboxes);
  }
}
