package dev.stepwell.cli.log;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one line, read in one go and without making objects of the message in it; used by
 * one thread.
 */
final class LogLine {
  private final byte[] bytes;
  private LineType type = LineType.NONE;
  private long version = -1;
  private long recordedAtMs;
  private long atMs;
  private int partition = -1;
  private long offset = -1;
  private long step;
  private boolean stopped;
  private @Nullable String key;
  private @Nullable String id;
  private @Nullable String session;
  private byte @Nullable [] message;
  private byte @Nullable [] request;
  private byte @Nullable [] result;
  private byte @Nullable [] raw;
  private byte @Nullable [] content;
  private byte @Nullable [] description;
  private byte @Nullable [] source;
  private List<String> pieces = List.of();
  private List<String> withheld = List.of();
  private List<String> ignore = List.of();

  private LogLine(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads a line.
   *
   * @throws LineException if it is no JSON object, or a field of ours is not of its type
   */
  static LogLine read(byte[] bytes) throws LineException {
    try {
      return parse(bytes);
    } catch (LineException e) {
      throw e;
    } catch (JsonProcessingException e) {
      throw new LineException("it is no JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new LineException(String.valueOf(e.getMessage()));
    }
  }

  /** The same, with null for what is no line: nobody need know where only wanted ones count. */
  static @Nullable LogLine readOrNull(byte[] bytes) {
    try {
      return read(bytes);
    } catch (LineException e) {
      return null;
    }
  }

  private static LogLine parse(byte[] bytes) throws IOException {
    LogLine line = new LogLine(bytes);
    try (JsonParser parser = LineJson.parser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new LineException("it is no JSON object");
      }
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        line.field(name, parser);
      }
      if (parser.nextToken() != null) {
        throw new LineException("there is something behind the JSON object");
      }
    }
    return line;
  }

  private void field(String name, JsonParser parser) throws IOException {
    switch (name) {
      case "type" -> type = type(parser);
      case "version" -> version = number(parser);
      case "recordedAtMs" -> recordedAtMs = number(parser);
      case "atMs" -> atMs = number(parser);
      case "partition" -> partition = (int) number(parser);
      case "offset" -> offset = number(parser);
      case "step" -> step = number(parser);
      case "stopped" -> stopped = isTrue(parser);
      case "key" -> key = text(parser);
      case "id" -> id = text(parser);
      case "session" -> session = text(parser);
      case "message" -> message = object(parser);
      case "request" -> request = object(parser);
      case "result" -> result = object(parser);
      case "source" -> source = object(parser);
      case "raw" -> raw = base64(parser);
      case "content" -> content = base64(parser);
      case "description" -> description = base64(parser);
      case "pieces" -> pieces = texts(parser);
      case "withheld" -> withheld = texts(parser);
      case "ignore" -> ignore = texts(parser);
      default -> parser.skipChildren();
    }
  }

  /** A number; what is none counts as absent, because a request of others may have such a field. */
  private static long number(JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return parser.getLongValue();
    }
    parser.skipChildren();
    return -1;
  }

  private static boolean isTrue(JsonParser parser) throws IOException {
    boolean isTrue = parser.currentToken() == JsonToken.VALUE_TRUE;
    parser.skipChildren();
    return isTrue;
  }

  private static @Nullable String text(JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    parser.skipChildren();
    return null;
  }

  private static byte @Nullable [] base64(JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getBinaryValue();
    }
    parser.skipChildren();
    return null;
  }

  private static LineType type(JsonParser parser) throws IOException {
    String text = text(parser);
    return text == null ? LineType.UNKNOWN : LineType.of(text);
  }

  /** The bytes of an object as they are in the line; null for anything else. */
  private byte @Nullable [] object(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return null;
    }
    long start = parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    long end = parser.currentLocation().getByteOffset();
    if (start < 0 || end > bytes.length) {
      throw new LineException("it is no UTF-8");
    }
    return Arrays.copyOfRange(bytes, (int) start, (int) end);
  }

  private static List<String> texts(JsonParser parser) throws IOException {
    List<String> texts = new ArrayList<>();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
          texts.add(parser.getText());
        } else {
          parser.skipChildren();
        }
      }
    } else {
      parser.skipChildren();
    }
    return texts;
  }

  byte[] bytes() {
    return bytes;
  }

  LineType type() {
    return type;
  }

  /** The version that a header names; -1 for none. */
  long version() {
    return version;
  }

  long recordedAtMs() {
    return Math.max(0, recordedAtMs);
  }

  long atMs() {
    return Math.max(0, atMs);
  }

  int partition() {
    return partition;
  }

  long offset() {
    return offset;
  }

  @Nullable String key() {
    return key;
  }

  /** The message of a request or a result, as JSON. */
  byte @Nullable [] message() {
    return message;
  }

  /** The message of a request or a result that is no JSON object. */
  byte @Nullable [] raw() {
    return raw;
  }

  /** The request of a line that has a request and a result. */
  byte @Nullable [] request() {
    return request;
  }

  /** The result of such a line. */
  byte @Nullable [] result() {
    return result;
  }

  /** What a header says of where the log comes from, as JSON. */
  byte @Nullable [] source() {
    return source;
  }

  List<String> ignore() {
    return ignore;
  }

  List<String> withheld() {
    return withheld;
  }

  /** Whether it is the end of a log whose recording was stopped. */
  boolean endsEarly() {
    return type == LineType.END && stopped;
  }

  /** The id of a piece or snapshot. */
  @Nullable String id() {
    return id;
  }

  @Nullable String session() {
    return session;
  }

  byte @Nullable [] content() {
    return content;
  }

  /** The snapshot that the line holds; null where a part of it is missing. */
  @Nullable RecordedSnapshot snapshot() {
    return type != LineType.SNAPSHOT || id == null || session == null || description == null
        ? null
        : new RecordedSnapshot(session, step, id, description, pieces);
  }
}
