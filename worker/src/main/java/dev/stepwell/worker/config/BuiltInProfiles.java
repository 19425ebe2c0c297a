package dev.stepwell.worker.config;

import java.util.Map;

/** What the profiles that come with Stepwell differ in from the defaults. Stateless. */
final class BuiltInProfiles {
  static final Map<String, String> PLAIN = Map.of();

  static final Map<String, String> DATA =
      Map.of(
          // The machine's own libraries would be other ones, or none.
          ProfileSetting.IMAGE.spec().key(),
          "data",
          ProfileSetting.IMPORTS.spec().key(),
          "numpy,pandas,matplotlib,sklearn",
          ProfileSetting.MEMORY.spec().key(),
          "1GiB",
          // There is no display in a sandbox, and matplotlib must not look for one.
          "env.MPLBACKEND",
          "Agg",
          // Where it may write; it warns on standard error if it finds no such place by itself.
          "env.MPLCONFIGDIR",
          "/tmp/matplotlib");

  /** By name. */
  static final Map<String, Map<String, String>> ALL = Map.of("plain", PLAIN, "data", DATA);

  private BuiltInProfiles() {}

  /** What the named profile begins with; empty for one that does not come with Stepwell. */
  static Map<String, String> of(String name) {
    return ALL.getOrDefault(name, Map.of());
  }
}
