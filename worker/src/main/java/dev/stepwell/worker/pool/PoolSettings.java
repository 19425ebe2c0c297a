package dev.stepwell.worker.pool;

/**
 * The bounds of a pool; immutable.
 *
 * @param maxSandboxes sandboxes at once, of all profiles, in whatever state; at least 1
 * @param creators threads that start sandboxes; at least 1
 * @param destroyers threads that remove sandboxes; at least 1
 * @param idleLifetimeMs age at which an idle sandbox is replaced, varied by 2.5 % at random; 0 for
 *     never
 * @param retry what to do when a sandbox can't be started
 */
public record PoolSettings(
    int maxSandboxes, int creators, int destroyers, long idleLifetimeMs, Retry retry) {
  public PoolSettings {
    atLeast("maxSandboxes", maxSandboxes, 1);
    atLeast("creators", creators, 1);
    atLeast("destroyers", destroyers, 1);
    atLeast("idleLifetimeMs", idleLifetimeMs, 0);
  }

  /**
   * How persistent the pool is when a sandbox can't be started; immutable.
   *
   * @param attempts tries of one creation when the failure may pass; at least 1
   * @param backoffMs wait before the second try in milliseconds, doubled with every further one and
   *     varied at random by half; at least 1
   * @param pauseMs how long a profile is left alone after a creation failed for good, in
   *     milliseconds; at least 1
   */
  public record Retry(int attempts, long backoffMs, long pauseMs) {
    public Retry {
      atLeast("attempts", attempts, 1);
      atLeast("backoffMs", backoffMs, 1);
      atLeast("pauseMs", pauseMs, 1);
    }
  }

  static void atLeast(String name, long value, long minimum) {
    if (value < minimum) {
      throw new IllegalArgumentException(
          "%s is %d, must be at least %d".formatted(name, value, minimum));
    }
  }
}
