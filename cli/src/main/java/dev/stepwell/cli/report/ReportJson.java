package dev.stepwell.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a report's data as JSON that can stand in a page: printable ASCII without {@code <},
 * {@code >} and {@code &}. A text can then neither end its element nor be changed by an encoding,
 * and even half a surrogate pair arrives as it was.
 */
final class ReportJson {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .characterEscapes(new NoMarkup())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private ReportJson() {}

  static void write(Writer out, ReportData data) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("kind", data.kind().name());
      json.writeStringField("title", data.title());
      json.writeNumberField("startedAtMs", data.startedAtMs());
      json.writeNumberField("elapsedMs", data.elapsedMs());
      facts(json, data.facts());
      json.writeArrayFieldStart("notes");
      for (String note : data.notes()) {
        json.writeString(note);
      }
      json.writeEndArray();
      counts(json, data.counts());
      rows(json, data.rows());
      slices(json, data.seconds());
      timings(json, data.timings());
      json.writeEndObject();
    }
  }

  /** Pairs, as an object's members that are called like numbers don't keep their order. */
  private static void facts(JsonGenerator json, Map<String, String> facts) throws IOException {
    json.writeArrayFieldStart("facts");
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      json.writeStartArray();
      json.writeString(fact.getKey());
      json.writeString(fact.getValue());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void counts(JsonGenerator json, Map<String, Long> counts) throws IOException {
    json.writeArrayFieldStart("counts");
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      json.writeStartArray();
      json.writeString(count.getKey());
      json.writeNumber(count.getValue());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void rows(JsonGenerator json, List<ReportData.Row> rows) throws IOException {
    json.writeArrayFieldStart("rows");
    for (ReportData.Row row : rows) {
      json.writeStartObject();
      json.writeStringField("id", row.id());
      json.writeStringField("group", row.group());
      json.writeStringField("status", row.status());
      optional(json, "outcome", row.outcome());
      optional(json, "reason", row.reason());
      number(json, "latencyMs", row.latencyMs());
      number(json, "queuedMs", row.queuedMs());
      if (row.recordedLatencyMs() != null) {
        number(json, "recordedMs", row.recordedLatencyMs());
      }
      json.writeNumberField("attempts", row.attempts());
      optional(json, "code", row.code());
      optional(json, "output", row.output());
      json.writeArrayFieldStart("differences");
      for (ReportData.Side side : row.differences()) {
        json.writeStartObject();
        json.writeStringField("type", side.type());
        json.writeStringField("what", side.what());
        optional(json, "recorded", side.recorded());
        optional(json, "replayed", side.replayed());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void slices(JsonGenerator json, List<ReportData.Slice> slices) throws IOException {
    json.writeArrayFieldStart("slices");
    for (ReportData.Slice slice : slices) {
      json.writeStartObject();
      json.writeNumberField("fromMs", slice.fromMs());
      json.writeNumberField("toMs", slice.toMs());
      json.writeNumberField("done", slice.done());
      number(json, "p50", slice.latencyP50Ms());
      number(json, "p90", slice.latencyP90Ms());
      number(json, "queued", slice.queuedP50Ms());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void timings(JsonGenerator json, List<ReportData.Timing> timings)
      throws IOException {
    json.writeArrayFieldStart("timings");
    for (ReportData.Timing timing : timings) {
      json.writeStartObject();
      json.writeStringField("name", timing.name());
      if (timing.recorded() != null) {
        quantiles(json, "recorded", timing.recorded());
      }
      quantiles(json, "replayed", timing.replayed());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void quantiles(JsonGenerator json, String name, ReportData.Quantiles quantiles)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("count", quantiles.count());
    number(json, "p50", quantiles.p50Ms());
    number(json, "p90", quantiles.p90Ms());
    number(json, "p99", quantiles.p99Ms());
    number(json, "max", quantiles.maxMs());
    json.writeEndObject();
  }

  private static void optional(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(name, value);
    }
  }

  /** To the microsecond; JSON has no other numbers than finite ones. */
  private static void number(JsonGenerator json, String name, double value) throws IOException {
    json.writeNumberField(name, Double.isFinite(value) ? Math.round(value * 1000) / 1000.0 : 0);
  }

  /** Escapes what has a meaning in HTML. */
  private static final class NoMarkup extends CharacterEscapes {
    private static final long serialVersionUID = 1;

    private final int[] codes = CharacterEscapes.standardAsciiEscapesForJSON();

    NoMarkup() {
      for (char markup : new char[] {'<', '>', '&', '\u007f'}) {
        codes[markup] = ESCAPE_STANDARD;
      }
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return codes.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null;
    }
  }
}
