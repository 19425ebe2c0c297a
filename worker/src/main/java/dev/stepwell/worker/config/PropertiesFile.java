package dev.stepwell.worker.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Reads files in Java's properties format. Stateless. */
final class PropertiesFile {
  private PropertiesFile() {}

  static Map<String, String> read(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return read(reader);
    } catch (CharacterCodingException e) {
      throw new ConfigException("", file + " is no UTF-8; save it in that encoding", e);
    }
  }

  static Map<String, String> read(Reader reader) throws IOException {
    Once once = new Once();
    try {
      once.load(reader);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "", "not in the properties format: " + e.getMessage() + "; write a backslash as \\\\", e);
    }
    return once.settings;
  }

  /** Refuses a second value for a key, which {@link Properties} lets win silently. */
  private static final class Once extends Properties {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, String> settings = new LinkedHashMap<>();

    @Override
    public synchronized Object put(Object key, Object value) {
      String name = (String) key;
      String text = ((String) value).strip();
      String earlier = settings.putIfAbsent(name, text);
      if (earlier != null) {
        throw new ConfigException(name, name + " is set twice; remove one of the two lines");
      }
      return value;
    }
  }
}
