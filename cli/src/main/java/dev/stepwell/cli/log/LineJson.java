package dev.stepwell.cli.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** JSON as lines hold it. Stateless. */
final class LineJson {
  /** The most bytes of a line: a message of 64 MiB in Base64 and what is around it. */
  static final int MAX_LINE_BYTES = 96 << 20;

  /** A message is in a line, and so one deeper: what a reader accepts, a writer may write. */
  private static final int MAX_DEPTH = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Names are the publishers': none is worth remembering beyond a line's parser.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_LINE_BYTES)
                  .build())
          .build();

  private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY).build();

  private LineJson() {}

  static JsonParser parser(byte[] line) throws IOException {
    return FACTORY.createParser(line);
  }

  static JsonNode tree(byte[] json) throws IOException {
    return MAPPER.readTree(json);
  }

  static JsonMapper mapper() {
    return MAPPER;
  }

  /**
   * A message as one line that holds the same JSON object.
   *
   * @return null where it is no JSON object, or not one that every reader would understand alike
   */
  static byte @Nullable [] oneLine(byte[] message) {
    if (message.length == 0 || message.length > MAX_LINE_BYTES / 4 * 3 || !isObject(message)) {
      return null;
    }
    byte[] line = message;
    for (int i = 0; i < message.length; i++) {
      if (message[i] == '\n' || message[i] == '\r') {
        // Within strings there are none, so these are white space.
        line = line == message ? message.clone() : line;
        line[i] = ' ';
      }
    }
    return line;
  }

  private static boolean isObject(byte[] message) {
    try (JsonParser parser = FACTORY.createParser(decodeUtf8(message))) {
      if (message[0] == (byte) 0xef || parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (!parser.getParsingContext().inRoot()) {
        parser.nextToken();
        if (parser.getParsingContext().getNestingDepth() > MAX_DEPTH - 2) {
          return false;
        }
      }
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static String decodeUtf8(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
