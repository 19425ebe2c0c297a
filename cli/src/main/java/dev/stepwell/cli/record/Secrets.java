package dev.stepwell.cli.record;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes the values of secret environment variables out of messages, wherever they are in those that
 * come once the value is known; used by one thread.
 */
final class Secrets {
  private static final String USUAL =
      "KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH|COOKIE|PRIVATE";

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .build()
          .reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final String NAMELESS = "[withheld]";

  private final Pattern names;
  private final SecretFinder finder = new SecretFinder();
  private long values;

  /**
   * @param more further names, or parts of names, of variables that are secret
   * @param values what is secret wherever it is
   */
  Secrets(Collection<String> more, Collection<String> values) {
    values.forEach(value -> finder.add(value, NAMELESS));
    StringBuilder pattern = new StringBuilder(USUAL);
    more.forEach(name -> pattern.append('|').append(Pattern.quote(name)));
    names = Pattern.compile(pattern.toString(), Pattern.CASE_INSENSITIVE);
  }

  /**
   * A message without secrets; not to be changed once made.
   *
   * @param message what is left
   * @param tree what is left as JSON; null where it is no JSON object
   * @param withheld the names of the variables whose values were taken out
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Cleaned(byte[] message, @Nullable JsonNode tree, List<String> withheld) {}

  /** How many values of variables were taken out. */
  long values() {
    return values;
  }

  /** Notes the secrets of a request's environment, whose message comes later. */
  void learn(byte[] message) {
    JsonNode tree = tree(message);
    if (tree != null && tree.get("environment") instanceof ObjectNode environment) {
      for (Map.Entry<String, JsonNode> variable : environment.properties()) {
        if (names.matcher(variable.getKey()).find()) {
          remember(variable);
        }
      }
    }
  }

  /** Gives the marker that stands in its place. */
  private String remember(Map.Entry<String, JsonNode> variable) {
    String marker = "[withheld " + variable.getKey() + "]";
    if (variable.getValue().isValueNode()) {
      finder.add(variable.getValue().asText(), marker);
    }
    return marker;
  }

  /** A request's message without secrets; those of its environment are known from now on. */
  Cleaned request(byte[] message) {
    JsonNode tree = tree(message);
    if (tree == null) {
      return unreadable(message);
    }
    List<String> withheld = new ArrayList<>();
    if (tree.get("environment") instanceof ObjectNode environment) {
      withholdFrom(environment, withheld);
    }
    boolean changed = clean(tree, "") || !withheld.isEmpty();
    return new Cleaned(changed ? bytes(tree) : message, tree, withheld);
  }

  /** A result's message without secrets. */
  byte[] result(byte[] message) {
    if (finder.isEmpty()) {
      return message;
    }
    JsonNode tree = tree(message);
    if (tree == null) {
      return unreadable(message).message();
    }
    return clean(tree, "") ? bytes(tree) : message;
  }

  /** Whether bytes hold a secret. */
  boolean isIn(byte[] content) {
    return finder.isIn(content);
  }

  /** Nobody knows what of a message is a value where it can't be read. */
  private Cleaned unreadable(byte[] message) {
    if (names.matcher(new String(message, StandardCharsets.ISO_8859_1)).find()) {
      values++;
      byte[] nothing = NAMELESS.getBytes(StandardCharsets.UTF_8);
      return new Cleaned(nothing, null, List.of());
    }
    byte[] cleaned = finder.without(message);
    return new Cleaned(cleaned == null ? message : cleaned, null, List.of());
  }

  private void withholdFrom(ObjectNode environment, List<String> withheld) {
    for (Map.Entry<String, JsonNode> variable : environment.properties()) {
      if (names.matcher(variable.getKey()).find()) {
        variable.setValue(TextNode.valueOf(remember(variable)));
        withheld.add(variable.getKey());
        values++;
      }
    }
  }

  /** Cleans every text below a node, whatever its name; says whether it had to. */
  private boolean clean(JsonNode node, String name) {
    if (finder.isEmpty()) {
      return false;
    }
    boolean changed = false;
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        JsonNode cleaned = cleaned(field.getValue(), field.getKey());
        if (cleaned != null) {
          field.setValue(cleaned);
          changed = true;
        } else {
          changed |= clean(field.getValue(), field.getKey());
        }
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        JsonNode cleaned = cleaned(array.get(i), name);
        if (cleaned != null) {
          array.set(i, cleaned);
          changed = true;
        } else {
          changed |= clean(array.get(i), name);
        }
      }
    }
    return changed;
  }

  /** A text without secrets; null where there are none. */
  private @Nullable JsonNode cleaned(JsonNode value, String name) {
    if (!value.isTextual() || value.textValue().length() < SecretFinder.MIN_CHARACTERS) {
      return null;
    }
    byte[] cleaned = finder.without(value.textValue().getBytes(StandardCharsets.UTF_8));
    if (cleaned != null) {
      return TextNode.valueOf(new String(cleaned, StandardCharsets.UTF_8));
    }
    return mayBeBase64(name) ? cleanedBase64(value.textValue()) : null;
  }

  /** Contents of files, and forms of values by media type. */
  private static boolean mayBeBase64(String name) {
    return name.equals("content") || name.indexOf('/') >= 0;
  }

  private @Nullable JsonNode cleanedBase64(String text) {
    byte[] content;
    try {
      content = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    byte[] cleaned = finder.without(content);
    return cleaned == null ? null : TextNode.valueOf(Base64.getEncoder().encodeToString(cleaned));
  }

  private static @Nullable JsonNode tree(byte[] message) {
    try {
      JsonNode tree = READER.readTree(message);
      return tree.isObject() ? tree : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static byte[] bytes(JsonNode tree) {
    return tree.toString().getBytes(StandardCharsets.UTF_8);
  }
}
