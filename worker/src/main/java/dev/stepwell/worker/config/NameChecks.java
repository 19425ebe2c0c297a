package dev.stepwell.worker.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses names that no setting has, and says which one may have been meant. Stateless. */
final class NameChecks {
  static final String PROFILE_PREFIX = "profile.";
  static final String ENVIRONMENT_PREFIX = "env.";
  private static final String MOUNT_PREFIX = "mount.";

  /** A profile's name holds no dot, so that a setting's name can be read in one way only. */
  private static final Pattern PROFILE = Pattern.compile("profile\\.([^.]*)\\.(.*)");

  private static final Pattern PROFILE_NAME = Pattern.compile("[A-Za-z0-9_-]{1,63}");
  private static final Pattern ALIAS = Pattern.compile("[a-z0-9-]{1,63}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");

  private NameChecks() {}

  /**
   * @throws ConfigException if there is no such setting
   */
  static void check(String name) {
    if (KafkaProperties.matches(name)) {
      KafkaProperties.check(name);
      return;
    }
    if (name.startsWith(MOUNT_PREFIX)) {
      checkAlias(name);
      return;
    }
    Matcher profile = PROFILE.matcher(name);
    if (profile.matches()) {
      checkProfile(name, profile.group(1), profile.group(2));
    } else if (keys(List.of(WorkerSetting.values())).stream().noneMatch(name::equals)) {
      throw unknown(name, keys(List.of(WorkerSetting.values())));
    }
  }

  /** The profile that a checked name belongs to; empty for none. */
  static String profileOf(String name) {
    Matcher profile = PROFILE.matcher(name);
    return profile.matches() ? profile.group(1) : "";
  }

  /** The alias that a checked name gives a folder; empty for other settings. */
  static String aliasOf(String name) {
    return name.startsWith(MOUNT_PREFIX) ? name.substring(MOUNT_PREFIX.length()) : "";
  }

  private static void checkAlias(String name) {
    if (!ALIAS.matcher(aliasOf(name)).matches()) {
      throw new ConfigException(
          name, "%s: a mount's alias must be 1 to 63 of the characters a-z 0-9 -".formatted(name));
    }
  }

  private static void checkProfile(String name, String profile, String key) {
    if (!PROFILE_NAME.matcher(profile).matches()) {
      throw new ConfigException(
          name,
          "%s: a profile's name must be 1 to 63 of the characters A-Z a-z 0-9 _ -".formatted(name));
    }
    if (key.startsWith(ENVIRONMENT_PREFIX)) {
      if (!VARIABLE.matcher(key.substring(ENVIRONMENT_PREFIX.length())).matches()) {
        throw new ConfigException(
            name,
            "%s: a variable's name must be 1 to 255 letters, digits and _, no digit first"
                .formatted(name));
      }
      return;
    }
    List<String> keys = keys(List.of(ProfileSetting.values()));
    if (!keys.contains(key)) {
      String prefix = PROFILE_PREFIX + profile + ".";
      throw unknown(name, keys.stream().map(each -> prefix + each).toList());
    }
  }

  static ConfigException unknown(String name, Collection<String> known) {
    return new ConfigException(
        name,
        "%s is no setting; did you mean %s? docs/configuration.md lists them all"
            .formatted(name, Nearest.to(name, known)));
  }

  private static List<String> keys(List<? extends Setting> settings) {
    List<String> keys = new ArrayList<>();
    settings.forEach(each -> keys.add(each.spec().key()));
    return keys;
  }
}
