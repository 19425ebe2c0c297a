package dev.stepwell.cli.replay;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.report.LogHistogram;
import java.util.List;
import java.util.Map;

/** Tells programs what a replay has come to; docs/replay.md describes it. */
final class ReplayJson {
  private static final int VERSION = 1;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private ReplayJson() {}

  static ObjectNode of(ReplayOutcome outcome) {
    Summary summary = outcome.summary;
    ObjectNode json = MAPPER.createObjectNode();
    json.put("version", VERSION).put("log", outcome.title);
    json.put("startedAtMs", outcome.startedAtMs).put("endedAtMs", outcome.endedAtMs);
    json.put("exitCode", outcome.exitCode()).put("requests", outcome.requests());
    ObjectNode counts = json.putObject("counts");
    for (Verdict verdict : Verdict.values()) {
      counts.put(verdict.name(), summary.count(verdict));
    }
    json.put("resultsWithoutRequest", outcome.orphans);
    ObjectNode types = json.putObject("differenceTypes");
    summary.types().forEach((type, count) -> types.put(type.name(), count));
    json.put("diverging", summary.divergences().count());
    ArrayNode first = json.putArray("firstDivergences");
    summary.divergences().list().forEach(each -> first.add(finding(each)));
    ArrayNode rows = json.putArray("differences");
    summary.rows().forEach(each -> rows.add(differing(each)));
    for (Verdict verdict :
        List.of(Verdict.COULD_NOT_RUN, Verdict.SKIPPED, Verdict.NOT_COMPARED, Verdict.UNREADABLE)) {
      ObjectNode part = json.putObject(name(verdict));
      put(part.putObject("reasons"), summary.reasons(verdict));
      ArrayNode requests = part.putArray("first");
      summary.named(verdict).forEach(each -> requests.add(finding(each)));
    }
    put(json.putObject("withheld"), summary.withheld());
    timings(json.putObject("timingsMs"), summary.timings());
    if (outcome.tear != null) {
      json.putObject("tear")
          .put("position", outcome.tear.position())
          .put("reason", outcome.tear.reason());
    }
    return json;
  }

  private static String name(Verdict verdict) {
    return switch (verdict) {
      case COULD_NOT_RUN -> "couldNotRun";
      case NOT_COMPARED -> "notCompared";
      case SAME, DIFFERENT, SKIPPED, UNREADABLE, COPY -> verdict.label();
    };
  }

  private static void put(ObjectNode json, Map<String, Long> counts) {
    counts.forEach(json::put);
  }

  private static ObjectNode finding(Finding finding) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("ordinal", finding.ordinal()).put("requestId", finding.id());
    json.put("sessionId", finding.session()).put("step", finding.step());
    if (finding.reason() != null) {
      json.put("reason", finding.reason());
    }
    ArrayNode types = json.putArray("types");
    finding.types().forEach(type -> types.add(type.name()));
    return json;
  }

  private static ObjectNode differing(Finding finding) {
    ObjectNode json = finding(finding);
    ArrayNode differences = json.putArray("differences");
    finding.differences().forEach(each -> differences.add(Finding.json(each)));
    return json;
  }

  private static void timings(ObjectNode json, Summary.TimingTable timings) {
    json.put("count", timings.recordedTotal.count());
    quantiles(json.putObject("queued"), timings.recordedQueued, timings.replayedQueued);
    quantiles(json.putObject("ran"), timings.recordedRan, timings.replayedRan);
    quantiles(json.putObject("total"), timings.recordedTotal, timings.replayedTotal);
  }

  private static void quantiles(ObjectNode json, LogHistogram recorded, LogHistogram replayed) {
    quantiles(json.putObject("recorded"), recorded);
    quantiles(json.putObject("replayed"), replayed);
  }

  private static void quantiles(ObjectNode json, LogHistogram histogram) {
    json.put("p50", histogram.quantileMs(0.5));
    json.put("p90", histogram.quantileMs(0.9));
    json.put("p99", histogram.quantileMs(0.99));
  }
}
