package dev.stepwell.worker.pool;

import dev.stepwell.worker.sandbox.Profile;

/**
 * A profile and how many idle sandboxes of it the pool keeps; immutable.
 *
 * @param profile what to start
 * @param minIdle kept waiting however little demand there is; at least 0
 * @param maxIdle kept waiting however much demand there is; at least {@code minIdle}; 0 for none,
 *     so that every step waits for a sandbox of its own to start
 */
public record PoolProfile(Profile profile, int minIdle, int maxIdle) {
  public PoolProfile {
    PoolSettings.atLeast("minIdle", minIdle, 0);
    PoolSettings.atLeast("maxIdle", maxIdle, minIdle);
  }
}
