package dev.stepwell.cli.eval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.cli.process.CommandException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Reads files of one JSON object a line, compressed by gzip or not. */
final class TaskFile {
  private static final int GZIP_MAGIC = 0x1f8b;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private TaskFile() {}

  /**
   * The objects of a file, in order; empty lines don't count.
   *
   * @throws CommandException naming file, line and fault
   */
  static List<TaskFields> read(Path file) {
    List<TaskFields> objects = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(open(file), StandardCharsets.UTF_8.newDecoder()))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          objects.add(parse(line, file + " line " + number));
        }
      }
    } catch (NoSuchFileException e) {
      throw new CommandException("there is no file " + file, e);
    } catch (IOException e) {
      throw new CommandException("can't read " + file + ": " + e.getMessage(), e);
    }
    return objects;
  }

  private static InputStream open(Path file) throws IOException {
    InputStream stream = new BufferedInputStream(Files.newInputStream(file));
    stream.mark(2);
    int start = (stream.read() << 8) | stream.read();
    stream.reset();
    return start == GZIP_MAGIC ? new GZIPInputStream(stream) : stream;
  }

  private static TaskFields parse(String line, String place) {
    JsonNode node;
    try {
      node = READER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new CommandException(place + ": no JSON: " + e.getOriginalMessage(), e);
    }
    if (!node.isObject()) {
      throw new CommandException(place + ": no JSON object");
    }
    return new TaskFields(place, node);
  }
}
