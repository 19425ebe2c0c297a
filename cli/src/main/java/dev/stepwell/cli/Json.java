package dev.stepwell.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.charset.StandardCharsets;

/** One JSON object a line. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final MessageCodec CODEC = new MessageCodec();

  private Json() {}

  /** An object to fill. */
  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** A result's message, as it is on the wire. */
  static String line(ExecutionResult result) {
    return new String(CODEC.encode(result), StandardCharsets.UTF_8);
  }

  /** A result's message as a part of another object. */
  static JsonNode tree(ExecutionResult result) {
    try {
      return MAPPER.readTree(line(result));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result's own message is no JSON", e);
    }
  }
}
