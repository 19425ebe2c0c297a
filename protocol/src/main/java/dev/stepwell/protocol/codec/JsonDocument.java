package dev.stepwell.protocol.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.InvalidMessageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads one bounded JSON object of a known version from bytes; immutable and thread-safe. */
final class JsonDocument {
  /** Longer names are no field of ours, and longer numbers no number of ours. */
  private static final int MAX_NAME_LENGTH = 4096;

  private static final int MAX_NUMBER_LENGTH = 64;

  private final int maxMessageBytes;
  private final JsonFactory factory;
  private final ObjectReader reader;

  JsonDocument(int maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
    factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MessageCodec.MAX_DEPTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxStringLength(maxMessageBytes)
                    .build())
            .build();
    reader =
        JsonMapper.builder(factory).build().reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  JsonGenerator generator(OutputStream bytes) throws IOException {
    return factory.createGenerator(bytes);
  }

  /** The fields of the message, whose version is the one given. */
  FieldReader parse(byte[] message, int version) {
    FieldReader fields = new FieldReader("", parseObject(message));
    fields.requireVersion(version);
    return fields;
  }

  private JsonNode parseObject(byte[] message) {
    if (message.length > maxMessageBytes) {
      throw new InvalidMessageException(
          ErrorCode.MESSAGE_TOO_LARGE,
          null,
          "message has %d bytes, more than the %d that are accepted: send less, or in parts"
              .formatted(message.length, maxMessageBytes));
    }
    JsonNode root;
    try {
      root = reader.readTree(decodeUtf8(message));
    } catch (JsonProcessingException e) {
      throw notJson("message is no JSON: " + describe(e));
    }
    if (!root.isObject()) {
      throw notJson("message is no JSON object");
    }
    return root;
  }

  /**
   * Decodes before parsing, because the parser would guess other encodings, and would let through
   * byte sequences that are no UTF-8, such as encoded surrogates.
   */
  private static String decodeUtf8(byte[] message) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message)).toString();
    } catch (CharacterCodingException e) {
      throw notJson("message is no UTF-8: " + e.getMessage());
    }
  }

  private static String describe(JsonProcessingException e) {
    return e.getLocation() == null
        ? e.getOriginalMessage()
        : "%s (line %d, column %d)"
            .formatted(
                e.getOriginalMessage(), e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  private static InvalidMessageException notJson(String message) {
    return new InvalidMessageException(ErrorCode.NOT_JSON, null, message);
  }
}
