package dev.stepwell.worker.config;

import dev.stepwell.worker.pool.PoolProfile;
import dev.stepwell.worker.sandbox.Profile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The profiles that a worker offers; immutable.
 *
 * @param defaultName the profile of requests that name none; one of {@code pooled}
 * @param pooled every profile with its share of the pool, by name
 */
public record Profiles(String defaultName, Map<String, PoolProfile> pooled) {
  public Profiles {
    pooled = Collections.unmodifiableMap(new LinkedHashMap<>(pooled));
    if (!pooled.containsKey(defaultName)) {
      throw new IllegalArgumentException(
          "default profile %s is none of %s".formatted(defaultName, pooled.keySet()));
    }
  }

  /** The profile that a request means: the default one for null; null if there is none. */
  public @Nullable Profile find(@Nullable String name) {
    PoolProfile found = pooled.get(name == null ? defaultName : name);
    return found == null ? null : found.profile();
  }

  /** The profile of requests that name none. */
  public Profile byDefault() {
    return Objects.requireNonNull(find(null), "checked when it was made");
  }

  /** The profiles by name. */
  public Map<String, Profile> byName() {
    Map<String, Profile> profiles = new LinkedHashMap<>();
    pooled.forEach((name, each) -> profiles.put(name, each.profile()));
    return Collections.unmodifiableMap(profiles);
  }

  /** What the pool is made for. */
  public List<PoolProfile> forPool() {
    return List.copyOf(pooled.values());
  }
}
