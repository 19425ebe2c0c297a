package dev.stepwell.worker.sandbox;

import java.util.Map;
import java.util.TreeMap;

/** What a sandbox's first process finds in its environment, whatever the backend. */
public final class SandboxEnvironment {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "HOME", Sandbox.WORKSPACE,
          "LANG", "C.UTF-8",
          "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");

  private SandboxEnvironment() {}

  /**
   * The profile's variables, and {@code HOME}, {@code LANG} and {@code PATH} where it doesn't set
   * them; sorted by name, nothing of the worker's own.
   */
  public static Map<String, String> of(Profile profile) {
    Map<String, String> environment = new TreeMap<>(DEFAULTS);
    environment.putAll(profile.environment());
    return environment;
  }
}
