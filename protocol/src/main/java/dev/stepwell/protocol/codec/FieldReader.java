package dev.stepwell.protocol.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.InvalidMessageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object, by name and without any coercion; immutable. Absent and null are
 * the same. Every violation names the field by its path from the message's root.
 */
final class FieldReader {
  /** How much of a wrong value an error message repeats. */
  private static final int QUOTED_CHARACTERS = 40;

  private final String path;
  private final JsonNode object;

  FieldReader(String path, JsonNode object) {
    this.path = path;
    this.object = object;
  }

  void requireVersion(int version) {
    JsonNode node = required("version", find("version"));
    if (!node.isIntegralNumber()) {
      throw wrongType("version", "an integer", node);
    }
    if (!node.canConvertToInt() || node.intValue() != version) {
      throw new InvalidMessageException(
          ErrorCode.UNSUPPORTED_VERSION,
          "version",
          "version is " + shortened(node.asText()) + ", and " + version + " is what is spoken");
    }
  }

  @Nullable String text(String name) {
    JsonNode node = find(name);
    return node == null ? null : asText(pathOf(name), node);
  }

  String requiredText(String name) {
    return required(name, text(name));
  }

  @Nullable Long integer(String name) {
    JsonNode node = find(name);
    return node == null ? null : asLong(pathOf(name), node);
  }

  long requiredInteger(String name) {
    return required(name, integer(name));
  }

  @Nullable Integer smallInteger(String name) {
    Long value = integer(name);
    if (value == null) {
      return null;
    }
    if (value != value.intValue()) {
      throw invalid(pathOf(name), "is " + value + ", which is beyond 32 bits");
    }
    return value.intValue();
  }

  int requiredSmallInteger(String name) {
    return required(name, smallInteger(name));
  }

  @Nullable Double number(String name) {
    JsonNode node = find(name);
    if (node == null) {
      return null;
    }
    if (!node.isNumber()) {
      throw wrongType(pathOf(name), "a number", node);
    }
    return node.doubleValue();
  }

  double requiredNumber(String name) {
    return required(name, number(name));
  }

  /** False where it is absent. */
  boolean flag(String name) {
    return find(name) != null && requiredFlag(name);
  }

  @Nullable Bytes bytes(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return Bytes.fromBase64(text);
    } catch (IllegalArgumentException e) {
      throw invalid(pathOf(name), "is no Base64: " + e.getMessage());
    }
  }

  Bytes requiredBytes(String name) {
    return required(name, bytes(name));
  }

  boolean requiredFlag(String name) {
    JsonNode node = required(name, find(name));
    if (!node.isBoolean()) {
      throw wrongType(pathOf(name), "true or false", node);
    }
    return node.booleanValue();
  }

  <E extends Enum<E>> E requiredOneOf(String name, Class<E> type) {
    return required(name, oneOf(name, type));
  }

  <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
    String value = text(name);
    if (value == null) {
      return null;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw invalid(
        pathOf(name),
        "is '%s', must be one of %s"
            .formatted(shortened(value), Arrays.toString(type.getEnumConstants())));
  }

  @Nullable FieldReader object(String name) {
    JsonNode node = find(name);
    return node == null ? null : asObject(pathOf(name), node);
  }

  FieldReader requiredObject(String name) {
    return required(name, object(name));
  }

  List<String> texts(String name) {
    return elements(name, FieldReader::asText);
  }

  List<FieldReader> objects(String name) {
    return elements(name, FieldReader::asObject);
  }

  Map<String, String> textByName(String name) {
    FieldReader entries = object(name);
    if (entries == null) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    entries
        .object
        .properties()
        .forEach(
            entry ->
                texts.put(entry.getKey(), asText(entries.path + entry.getKey(), entry.getValue())));
    return texts;
  }

  private <T> List<T> elements(String name, BiFunction<String, JsonNode, T> conversion) {
    JsonNode node = find(name);
    if (node == null) {
      return List.of();
    }
    if (!node.isArray()) {
      throw wrongType(pathOf(name), "an array", node);
    }
    List<T> elements = new ArrayList<>(node.size());
    for (int i = 0; i < node.size(); i++) {
      elements.add(conversion.apply(pathOf(name) + "[" + i + "]", node.get(i)));
    }
    return elements;
  }

  private @Nullable JsonNode find(String name) {
    JsonNode node = object.get(name);
    return node == null || node.isNull() ? null : node;
  }

  private String pathOf(String name) {
    return path + name;
  }

  private <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw invalid(pathOf(name), "is missing");
    }
    return value;
  }

  private static String asText(String path, JsonNode node) {
    if (!node.isTextual()) {
      throw wrongType(path, "a string", node);
    }
    String text = node.textValue();
    int broken = Surrogates.firstBroken(text, 0);
    if (broken >= 0) {
      throw invalid(path, "holds half a surrogate pair at character " + broken + ", no UTF-8 can");
    }
    return text;
  }

  private static Long asLong(String path, JsonNode node) {
    if (!node.isIntegralNumber()) {
      throw wrongType(path, "an integer", node);
    }
    if (!node.canConvertToLong()) {
      throw invalid(path, "is " + shortened(node.asText()) + ", which is beyond 64 bits");
    }
    return node.longValue();
  }

  private static FieldReader asObject(String path, JsonNode node) {
    if (!node.isObject()) {
      throw wrongType(path, "an object", node);
    }
    return new FieldReader(path + ".", node);
  }

  private static InvalidMessageException wrongType(String path, String expected, JsonNode node) {
    return invalid(
        path, "must be " + expected + ", and is of JSON type " + node.getNodeType().name());
  }

  private static InvalidMessageException invalid(String path, String problem) {
    return new InvalidMessageException(ErrorCode.INVALID_FIELD, path, path + " " + problem);
  }

  private static String shortened(String value) {
    return value.length() <= QUOTED_CHARACTERS
        ? value
        : value.substring(0, QUOTED_CHARACTERS) + "...";
  }
}
