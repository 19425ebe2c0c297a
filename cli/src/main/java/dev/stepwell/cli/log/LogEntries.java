package dev.stepwell.cli.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.codec.MessageCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes entries of lines; stateless and thread-safe. */
final class LogEntries {
  /** The version of the format that is read and written here. */
  static final int VERSION = 1;

  private static final int MAX_MESSAGE_BYTES = 64 << 20;
  private static final MessageCodec CODEC = new MessageCodec(MAX_MESSAGE_BYTES);

  private LogEntries() {}

  /**
   * What a {@code log} line says.
   *
   * @param file the log's name, for the failure
   * @throws LogVersionException if it is of a newer version
   */
  static LogHeader header(LogLine line, String file) throws IOException {
    if (line.version() > VERSION) {
      int found = (int) Math.min(line.version(), Integer.MAX_VALUE);
      throw new LogVersionException(file, found, VERSION);
    }
    byte[] source = line.source();
    LogOrigin origin = source == null ? null : LogOrigin.read(source);
    return new LogHeader(
        VERSION, line.recordedAtMs(), origin == null ? "" : origin.text(), line.ignore());
  }

  /**
   * The request of a line of type {@code request}.
   *
   * @param place what a problem begins with
   */
  static RecordedRequest request(LogLine line, long ordinal, String place) {
    byte[] message = line.message() != null ? line.message() : line.raw();
    if (message == null) {
      return unreadable(line, ordinal, place + ": it has no message");
    }
    try {
      Request request = CODEC.decodeRequest(message);
      String key = line.key() == null ? request.key() : line.key();
      return new RecordedRequest(ordinal, line.atMs(), key, request, null, line.withheld());
    } catch (InvalidMessageException e) {
      return unreadable(line, ordinal, place + ": " + e.getMessage());
    }
  }

  /**
   * A request that others wrote: a version or an id that is missing is added.
   *
   * @param name the id of one that has none
   */
  static RecordedRequest foreign(LogLine line, byte[] message, long ordinal, String name) {
    try {
      Request request = CODEC.decodeRequest(completed(message, name));
      return new RecordedRequest(
          ordinal, line.atMs(), request.key(), request, null, line.withheld());
    } catch (InvalidMessageException | IOException e) {
      return unreadable(line, ordinal, name.replace('-', ' ') + ": " + e.getMessage());
    }
  }

  /** Of a line that is not even JSON. */
  static RecordedRequest unreadable(long ordinal, String problem) {
    return new RecordedRequest(ordinal, 0, "", null, problem, List.of());
  }

  private static RecordedRequest unreadable(LogLine line, long ordinal, String problem) {
    String key = line.key() == null ? "" : line.key();
    return new RecordedRequest(ordinal, line.atMs(), key, null, problem, line.withheld());
  }

  /** The result of a line of type {@code result}; null where it can't be read as one. */
  static @Nullable RecordedResult result(LogLine line) {
    byte[] message = line.message();
    return message == null ? null : decoded(line, message);
  }

  /** A result that others wrote, beside its request. */
  static @Nullable RecordedResult foreignResult(LogLine line, byte[] message, String name) {
    try {
      return decoded(line, completed(message, requestId(line, name)));
    } catch (IOException e) {
      return null;
    }
  }

  private static String requestId(LogLine line, String name) throws IOException {
    byte[] request = line.request();
    return request == null ? name : LineJson.tree(request).path("requestId").asText(name);
  }

  private static @Nullable RecordedResult decoded(LogLine line, byte[] message) {
    try {
      ExecutionResult result = CODEC.decodeResult(message);
      return new RecordedResult(line.atMs(), result);
    } catch (InvalidMessageException e) {
      return null;
    }
  }

  private static byte[] completed(byte[] message, String name) throws IOException {
    JsonNode tree = LineJson.tree(message);
    if (!(tree instanceof ObjectNode object)
        || (object.hasNonNull("version") && object.hasNonNull("requestId"))) {
      return message;
    }
    if (!object.hasNonNull("version")) {
      object.put("version", Request.VERSION);
    }
    if (!object.hasNonNull("requestId")) {
      object.put("requestId", name);
    }
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }
}
