package dev.stepwell.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run's folder says about the run, written once when it begins; immutable.
 *
 * @param kind what runs
 * @param run its name
 * @param input the fingerprint of its files
 * @param options what else decides about its outcome
 * @param bootstrap where Kafka is; null for a broker of its own
 */
record RunFile(
    String kind, RunId run, String input, List<String> options, @Nullable String bootstrap) {
  private static final int VERSION = 1;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  RunFile {
    options = List.copyOf(options);
  }

  /** Writes it whole or not at all. */
  void write(Path file) throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("version", VERSION).put("kind", kind).put("run", run.text()).put("input", input);
    options.forEach(json.putArray("options")::add);
    json.put("bootstrap", bootstrap);
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, json.toPrettyString() + "\n");
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads it.
   *
   * @throws IOException if it can't be read, or is of another version
   */
  static RunFile read(Path file) throws IOException {
    try {
      JsonNode json = MAPPER.readTree(Files.readString(file));
      int version = json.path("version").asInt();
      if (version != VERSION) {
        throw new IOException("it is of version " + version + ", this program reads " + VERSION);
      }
      List<String> options = new java.util.ArrayList<>();
      json.path("options").forEach(each -> options.add(each.asText()));
      return new RunFile(
          json.path("kind").asText(),
          new RunId(json.path("run").asText()),
          json.path("input").asText(),
          options,
          json.hasNonNull("bootstrap") ? json.path("bootstrap").asText() : null);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("it is damaged: " + e.getMessage(), e);
    }
  }
}
