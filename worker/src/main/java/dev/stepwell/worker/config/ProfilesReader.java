package dev.stepwell.worker.config;

import dev.stepwell.worker.pool.PoolProfile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the profiles: those that come with Stepwell, and those configured. Used once. */
final class ProfilesReader {
  private final Map<String, String> settings;
  private final String defaultName;
  private final Path imageFolder;

  ProfilesReader(Map<String, String> settings, String defaultName, Path imageFolder) {
    this.settings = settings;
    this.imageFolder = imageFolder;
    this.defaultName = defaultName;
  }

  Profiles read() {
    Set<String> names = new TreeSet<>(BuiltInProfiles.ALL.keySet());
    settings.keySet().stream()
        .map(NameChecks::profileOf)
        .filter(each -> !each.isEmpty())
        .forEach(names::add);
    if (!names.contains(defaultName)) {
      throw ConfigException.badValue(
          WorkerSetting.DEFAULT_PROFILE.spec().key(), defaultName, "one of the profiles " + names);
    }
    Map<String, Path> mounts = MountsReader.table(settings);
    Map<String, PoolProfile> profiles = new TreeMap<>();
    for (String name : names) {
      ProfileReader reader = new ProfileReader(name, settings, imageFolder, mounts);
      profiles.put(name, reader.read(name.equals(defaultName)));
    }
    return new Profiles(defaultName, profiles);
  }
}
