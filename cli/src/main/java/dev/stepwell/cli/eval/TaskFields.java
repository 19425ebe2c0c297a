package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stepwell.cli.process.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object in a task file; immutable. A field of a wrong type or an unknown name is
 * refused with its place, because a task that is not checked as its author meant passes wrongly.
 *
 * @param place file, line, and way to the object
 * @param object the object
 */
record TaskFields(String place, JsonNode object) {
  /** Refuses fields of other names than these. */
  TaskFields only(Set<String> names) {
    for (String name : (Iterable<String>) object::fieldNames) {
      if (!names.contains(name)) {
        throw fault("unknown field '" + name + "'");
      }
    }
    return this;
  }

  String requiredText(String name) {
    String text = text(name);
    if (text == null) {
      throw fault("field '" + name + "' is missing");
    }
    return text;
  }

  @Nullable String text(String name) {
    JsonNode node = find(name);
    if (node == null) {
      return null;
    }
    if (!node.isTextual()) {
      throw fault("field '" + name + "' must be a string");
    }
    return node.textValue();
  }

  @Nullable Long integer(String name) {
    JsonNode node = find(name);
    if (node == null) {
      return null;
    }
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw fault("field '" + name + "' must be an integer");
    }
    return node.longValue();
  }

  /** False where it is absent. */
  boolean flag(String name) {
    JsonNode node = find(name);
    if (node == null) {
      return false;
    }
    if (!node.isBoolean()) {
      throw fault("field '" + name + "' must be true or false");
    }
    return node.booleanValue();
  }

  /** An object of strings; empty where it is absent. */
  Map<String, String> textsByName(String name) {
    TaskFields texts = object(name);
    Map<String, String> byName = new LinkedHashMap<>();
    if (texts != null) {
      for (String each : (Iterable<String>) texts.object()::fieldNames) {
        byName.put(each, texts.requiredText(each));
      }
    }
    return byName;
  }

  boolean has(String name) {
    return find(name) != null;
  }

  @Nullable TaskFields object(String name) {
    JsonNode node = find(name);
    return node == null ? null : asObject(name, node);
  }

  /** A string or an array of strings; empty where it is absent. */
  List<String> texts(String name) {
    JsonNode node = find(name);
    if (node == null) {
      return List.of();
    }
    if (node.isTextual()) {
      return List.of(node.textValue());
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : array(name)) {
      if (!each.isTextual()) {
        throw fault("field '" + name + "' must hold strings");
      }
      texts.add(each.textValue());
    }
    return texts;
  }

  /** The elements of an array that must be there and not be empty. */
  List<JsonNode> array(String name) {
    JsonNode node = find(name);
    if (node == null || !node.isArray() || node.isEmpty()) {
      throw fault("field '" + name + "' must be an array that is not empty");
    }
    List<JsonNode> elements = new ArrayList<>();
    node.forEach(elements::add);
    return elements;
  }

  TaskFields asObject(String name, JsonNode node) {
    if (!node.isObject()) {
      throw fault("'" + name + "' must be an object");
    }
    return new TaskFields(place + ", " + name, node);
  }

  CommandException fault(String what) {
    return new CommandException(place + ": " + what);
  }

  private @Nullable JsonNode find(String name) {
    JsonNode node = object.get(name);
    return node == null || node.isNull() ? null : node;
  }
}
