package dev.stepwell.cli.eval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.process.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts as JSON: a line for each sample in results, and one for each task in a run's journal.
 */
final class VerdictJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private VerdictJson() {}

  /** A sample's line in results. */
  static ObjectNode sample(SampleVerdict verdict) {
    SampleVerdict.Figures figures = verdict.figures();
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("id", verdict.id());
    line.put("task", verdict.task());
    line.put("sample", verdict.sample());
    line.put("status", verdict.status().text());
    line.put("outcome", verdict.outcome());
    line.put("reason", verdict.reason());
    line.put("steps", figures.steps());
    line.put("attempts", figures.attempts());
    line.put("startedAtMs", figures.startedAtMs());
    line.put("endedAtMs", figures.endedAtMs());
    line.put("latencyMs", rounded(figures.latencyMs()));
    line.put("queuedMs", rounded(figures.queuedMs()));
    line.put("ranMs", rounded(figures.ranMs()));
    ObjectNode outcomes = line.putObject("outcomes");
    figures.outcomes().forEach(outcomes::put);
    line.put("output", verdict.output());
    return line;
  }

  /** A task's line in the journal. */
  static String task(TaskVerdict verdict, long elapsedMs) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("index", verdict.index());
    line.put("id", verdict.task());
    line.put("elapsedMs", elapsedMs);
    ArrayNode samples = line.putArray("samples");
    verdict.samples().forEach(each -> samples.add(sample(each)));
    return line.toString();
  }

  /**
   * A line of the journal; immutable.
   *
   * @param elapsedMs how long the evaluation had run until then
   */
  record Entry(TaskVerdict verdict, long elapsedMs) {}

  /**
   * Reads a task's line in the journal.
   *
   * @throws CommandException if it is none
   */
  static Entry entry(String line) {
    try {
      JsonNode node = MAPPER.readTree(line);
      List<SampleVerdict> samples = new ArrayList<>();
      node.required("samples").forEach(each -> samples.add(sample(each)));
      TaskVerdict verdict =
          new TaskVerdict(
              node.required("index").intValue(), node.required("id").textValue(), samples);
      return new Entry(verdict, node.required("elapsedMs").longValue());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new CommandException(
          "the run's journal has a line that is none of an evaluation: --restart begins anew", e);
    }
  }

  private static SampleVerdict sample(JsonNode node) {
    Map<String, Integer> outcomes = new LinkedHashMap<>();
    node.required("outcomes")
        .properties()
        .forEach(each -> outcomes.put(each.getKey(), each.getValue().intValue()));
    return new SampleVerdict(
        node.required("id").textValue(),
        node.required("task").textValue(),
        node.required("sample").intValue(),
        Status.valueOf(node.required("status").textValue().toUpperCase(Locale.ROOT)),
        text(node, "reason"),
        text(node, "outcome"),
        new SampleVerdict.Figures(
            node.required("steps").intValue(),
            node.required("attempts").intValue(),
            node.required("startedAtMs").longValue(),
            node.required("endedAtMs").longValue(),
            node.required("latencyMs").doubleValue(),
            node.required("queuedMs").doubleValue(),
            node.required("ranMs").doubleValue(),
            outcomes),
        text(node, "output"));
  }

  private static @Nullable String text(JsonNode node, String name) {
    return node.path(name).textValue();
  }

  /** To microseconds: more says nothing. */
  private static double rounded(double ms) {
    return Math.round(ms * 1000) / 1000.0;
  }
}
