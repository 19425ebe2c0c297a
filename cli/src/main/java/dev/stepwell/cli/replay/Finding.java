package dev.stepwell.cli.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.compare.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What came of one request: a line of the run's journal, from which a later process makes the same
 * report; immutable.
 *
 * @param ordinal the request's place in the log
 * @param id its recorded id; the empty text where it has none
 * @param copy which copy it is; 0 for the first
 * @param session its recorded session, or null
 * @param step its recorded step, or null
 * @param verdict what came of it
 * @param reason why it is not the same or different; null for those two
 * @param types the types of its differences, each once
 * @param differences the differences; empty where their texts weren't kept
 * @param timings null where there is no result
 * @param withheld variables that were left out of the log and of the replay
 * @param recordedReference the reference that the recorded result told of, or null
 * @param replayedReference the one of now, or null
 * @param code what ran, cut; null where it isn't kept
 */
record Finding(
    long ordinal,
    String id,
    int copy,
    @Nullable String session,
    @Nullable Long step,
    Verdict verdict,
    @Nullable String reason,
    List<Difference.Type> types,
    List<Difference> differences,
    @Nullable CaseTimings timings,
    List<String> withheld,
    @Nullable String recordedReference,
    @Nullable String replayedReference,
    @Nullable String code) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  Finding {
    types = List.copyOf(types);
    differences = List.copyOf(differences);
    withheld = List.copyOf(withheld);
  }

  /** A request whose message can't be read. */
  static Finding unreadable(long ordinal, @Nullable String problem) {
    return new Finding(
        ordinal,
        "",
        0,
        null,
        null,
        Verdict.UNREADABLE,
        problem,
        List.of(),
        List.of(),
        null,
        List.of(),
        null,
        null,
        null);
  }

  static List<Difference.Type> types(List<Difference> differences) {
    TreeSet<Difference.Type> types = new TreeSet<>();
    differences.forEach(each -> types.add(each.type()));
    return List.copyOf(types);
  }

  /** What people call it: its session and step, or its id. */
  String name() {
    if (session == null) {
      return id;
    }
    return step == null ? session + " (" + id + ")" : session + " step " + step;
  }

  /** What belongs together: its session, or itself. */
  String group() {
    return session == null ? id : session;
  }

  /** The same without texts, which take too much where very many differ. */
  Finding brief() {
    return new Finding(
        ordinal,
        id,
        copy,
        session,
        step,
        verdict,
        reason,
        types,
        List.of(),
        timings,
        withheld,
        recordedReference,
        replayedReference,
        null);
  }

  String line() {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("o", ordinal).put("i", id).put("v", verdict.name());
    if (copy > 0) {
      json.put("copy", copy);
    }
    putText(json, "s", session);
    if (step != null) {
      json.put("n", step);
    }
    putText(json, "why", reason);
    if (!types.isEmpty()) {
      ArrayNode array = json.putArray("t");
      types.forEach(type -> array.add(type.name()));
    }
    if (!differences.isEmpty()) {
      ArrayNode array = json.putArray("d");
      differences.forEach(each -> array.add(json(each)));
    }
    if (timings != null) {
      timings.write(json.putArray("ms"));
    }
    if (!withheld.isEmpty()) {
      withheld.forEach(json.putArray("w")::add);
    }
    putText(json, "ref", recordedReference);
    putText(json, "now", replayedReference);
    putText(json, "code", code);
    return json.toString();
  }

  private static void putText(ObjectNode json, String name, @Nullable String text) {
    if (text != null) {
      json.put(name, text);
    }
  }

  static ObjectNode json(Difference difference) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("type", difference.type().name()).put("what", difference.what());
    json.put("recorded", difference.recorded()).put("replayed", difference.replayed());
    return json;
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Finding parse(String line) {
    JsonNode json;
    try {
      json = MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no line of a replay: " + line, e);
    }
    List<Difference.Type> types = new ArrayList<>();
    json.path("t").forEach(each -> types.add(Difference.Type.valueOf(each.asText())));
    List<Difference> differences = new ArrayList<>();
    json.path("d").forEach(each -> differences.add(difference(each)));
    List<String> withheld = new ArrayList<>();
    json.path("w").forEach(each -> withheld.add(each.asText()));
    return new Finding(
        json.path("o").asLong(),
        json.path("i").asText(),
        json.path("copy").asInt(),
        text(json, "s"),
        json.has("n") ? json.path("n").asLong() : null,
        Verdict.valueOf(json.path("v").asText()),
        text(json, "why"),
        types,
        differences,
        json.has("ms") ? CaseTimings.read(json.path("ms")) : null,
        withheld,
        text(json, "ref"),
        text(json, "now"),
        text(json, "code"));
  }

  private static Difference difference(JsonNode json) {
    return new Difference(
        Difference.Type.valueOf(json.path("type").asText()),
        json.path("what").asText(),
        text(json, "recorded"),
        text(json, "replayed"));
  }

  private static @Nullable String text(JsonNode json, String name) {
    return json.hasNonNull(name) ? json.path(name).asText() : null;
  }
}
