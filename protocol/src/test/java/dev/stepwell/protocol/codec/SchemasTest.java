package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.WorkspaceEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemasTest {
  /** Rules that JSON Schema can't say, or that are broken below what it sees. */
  private static final Set<String> BEYOND_SCHEMA =
      Set.of(
          "version with a fraction",
          "source with half a surrogate pair",
          "file with a part of 256 bytes",
          "file deeper than 64 parts",
          "file there twice",
          "file that is another's folder");

  static Stream<String> goldens() {
    return Stream.of(Golden.REQUESTS, Golden.RESULTS, Golden.HEADS, Golden.CANCELS)
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void golden_isValidByItsSchema(String name) {
    String schema = name.substring(0, name.indexOf('-'));
    assertThat(Schemas.errors(schema, Golden.bytes(name))).isEmpty();
  }

  @Test
  void requestThatTheCodecRefusesForAField_isInvalidByItsSchema() throws JsonProcessingException {
    int checked = 0;
    for (JsonNode entry : tree("/golden/invalid/requests.json")) {
      String name = entry.get("name").asText();
      if (entry.get("code").asText().equals("NOT_JSON") || BEYOND_SCHEMA.contains(name)) {
        continue;
      }
      assertThat(Schemas.errors("request", entry.get("message").asText())).as(name).isNotEmpty();
      checked++;
    }
    assertThat(checked).isGreaterThan(20);
  }

  @Test
  void enumerations_areThoseOfTheCode() throws JsonProcessingException {
    JsonNode properties = tree("/dev/stepwell/protocol/schema/result.json").get("properties");
    assertThat(texts(properties.at("/outcome/enum")))
        .isEqualTo(Arrays.stream(Outcome.values()).map(Enum::name).toList());
    assertThat(texts(properties.at("/error/properties/code/enum")))
        .isEqualTo(Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
    assertThat(texts(properties.at("/session/properties/files/items/properties/kind/enum")))
        .isEqualTo(Arrays.stream(WorkspaceEntry.Kind.values()).map(Enum::name).toList());
    assertThat(texts(properties.at("/artifacts/items/properties/problem/enum")))
        .startsWith(Arrays.stream(Artifact.Problem.values()).map(Enum::name).toArray(String[]::new))
        .hasSize(Artifact.Problem.values().length + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"request", "result", "head", "cancel"})
  void everyFieldAndValue_isInTheDocument(String schema) throws IOException {
    String document = Files.readString(Path.of("..", "docs", "protocol.md"));
    JsonNode root = tree("/dev/stepwell/protocol/schema/" + schema + ".json");
    List<String> names = new ArrayList<>();
    addNames(root, names);
    root.findValues("enum").forEach(values -> names.addAll(texts(values)));
    assertThat(names).hasSizeGreaterThan(2).allMatch(name -> document.contains("`" + name + "`"));
  }

  /** The names of fields at every depth. */
  private static void addNames(JsonNode schema, List<String> names) {
    if (schema.path("properties").isObject()) {
      schema.get("properties").fieldNames().forEachRemaining(names::add);
      schema.get("properties").forEach(property -> addNames(property, names));
    }
    if (schema.has("items")) {
      addNames(schema.get("items"), names);
    }
  }

  private static JsonNode tree(String resource) throws JsonProcessingException {
    return JsonMapper.builder().build().readTree(Golden.text(resource));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.asText()));
    return texts;
  }
}
