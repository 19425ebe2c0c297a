package dev.stepwell.worker.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code mount.ALIAS}: the worker's table of folders that profiles may mount. Stateless. */
final class MountsReader {
  private MountsReader() {}

  /**
   * The table.
   *
   * @throws ConfigException naming the setting of a folder that is none
   */
  static SortedMap<String, Path> table(Map<String, String> settings) {
    SortedMap<String, Path> table = new TreeMap<>();
    settings.forEach(
        (name, value) -> {
          String alias = NameChecks.aliasOf(name);
          if (!alias.isEmpty()) {
            table.put(alias, folder(name, value));
          }
        });
    return table;
  }

  private static Path folder(String name, String value) {
    if (value.isEmpty() || value.indexOf('\0') >= 0 || !Path.of(value).isAbsolute()) {
      throw ConfigException.badValue(name, value, "the absolute path of a folder");
    }
    Path folder = Path.of(value).normalize();
    if (!Files.isDirectory(folder)) {
      throw ConfigException.badValue(name, value, "a folder that is there when the worker starts");
    }
    return folder;
  }

  /**
   * The folders of a profile.
   *
   * @param setting the setting that lists their aliases
   * @throws ConfigException naming an alias that the table doesn't have, and the nearest it has
   */
  static SortedMap<String, Path> choose(
      String setting, List<String> aliases, Map<String, Path> table) {
    SortedMap<String, Path> chosen = new TreeMap<>();
    for (String alias : aliases) {
      Path folder = table.get(alias);
      if (folder == null) {
        String way =
            table.isEmpty()
                ? "no mount.ALIAS is set"
                : "did you mean " + Nearest.to(alias, table.keySet()) + "?";
        throw new ConfigException(
            setting, "%s: there is no mount.%s; %s".formatted(setting, alias, way));
      }
      chosen.put(alias, folder);
    }
    return chosen;
  }
}
