package dev.stepwell.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A worker's settings as a command is given them, to know an installation by. */
final class SettingsFile {
  private SettingsFile() {}

  /**
   * What the file says, to be changed as the caller likes; empty where there is none.
   *
   * @throws IOException if it can't be read
   */
  static Map<String, String> read(@Nullable Path file) throws IOException {
    Map<String, String> settings = new HashMap<>();
    if (file != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      }
      properties
          .stringPropertyNames()
          .forEach(name -> settings.put(name, properties.getProperty(name)));
    }
    return settings;
  }
}
