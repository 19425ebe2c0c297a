package dev.stepwell.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Timings;
import org.jspecify.annotations.Nullable;

/**
 * How long a request took, then and now; immutable.
 *
 * @param recorded null where nothing was recorded
 * @param replayed what its result says
 * @param answeredAtMs when its result was published now, milliseconds since the epoch
 */
record CaseTimings(@Nullable Spent recorded, Spent replayed, long answeredAtMs) {
  private static final int FIELDS = 3;

  /**
   * Where a request's time went; immutable.
   *
   * @param queuedMs until a slot took it, milliseconds
   * @param ranMs its own code's
   * @param totalMs from its publication until its result was handed to Kafka
   */
  record Spent(double queuedMs, double ranMs, double totalMs) {
    static Spent of(ExecutionResult result) {
      Timings timings = result.timings();
      return new Spent(
          timings.queuedMs(),
          timings.ranMs(),
          timings.queuedMs()
              + timings.acquiredMs()
              + timings.restoredMs()
              + timings.ranMs()
              + timings.savedMs()
              + timings.committedMs());
    }

    private void write(ArrayNode json) {
      json.add(rounded(queuedMs)).add(rounded(ranMs)).add(rounded(totalMs));
    }

    private static Spent read(JsonNode json, int from) {
      return new Spent(
          json.path(from).asDouble(),
          json.path(from + 1).asDouble(),
          json.path(from + 2).asDouble());
    }

    /** To what is written, so that a report is the same before and after. */
    private static double rounded(double ms) {
      return Math.round(ms * 1000) / 1000.0;
    }

    private Spent rounded() {
      return new Spent(rounded(queuedMs), rounded(ranMs), rounded(totalMs));
    }
  }

  CaseTimings {
    recorded = recorded == null ? null : recorded.rounded();
    replayed = replayed.rounded();
  }

  void write(ArrayNode json) {
    json.add(answeredAtMs);
    replayed.write(json);
    if (recorded != null) {
      recorded.write(json);
    }
  }

  static CaseTimings read(JsonNode json) {
    return new CaseTimings(
        json.size() > 1 + FIELDS ? Spent.read(json, 1 + FIELDS) : null,
        Spent.read(json, 1),
        json.path(0).asLong());
  }
}
