package dev.stepwell.cli.replay;

import dev.stepwell.cli.report.LogHistogram;
import dev.stepwell.cli.report.ReportData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes of a replay what its page shows. */
final class ReplayPage {
  private ReplayPage() {}

  static ReportData of(ReplayOutcome outcome) {
    Summary summary = outcome.summary;
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Verdict verdict : Verdict.values()) {
      if (summary.count(verdict) > 0) {
        counts.put(verdict.label(), summary.count(verdict));
      }
    }
    List<ReportData.Row> rows = new ArrayList<>();
    summary.rows().forEach(each -> rows.add(row(each)));
    for (Verdict verdict :
        List.of(Verdict.COULD_NOT_RUN, Verdict.SKIPPED, Verdict.NOT_COMPARED, Verdict.UNREADABLE)) {
      summary.named(verdict).forEach(each -> rows.add(row(each)));
    }
    return new ReportData(
        ReportData.Kind.REPLAY,
        outcome.title,
        outcome.startedAtMs,
        outcome.endedAtMs - outcome.startedAtMs,
        facts(outcome),
        notes(outcome, rows.size()),
        counts,
        rows,
        summary.slices().slices(),
        timings(summary.timings()));
  }

  private static Map<String, String> facts(ReplayOutcome outcome) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("requests", Long.toString(outcome.requests()));
    facts.put("sessions that differ", Long.toString(outcome.summary.divergences().count()));
    outcome
        .summary
        .types()
        .forEach((type, count) -> facts.put("differ in " + type.name(), Long.toString(count)));
    return facts;
  }

  private static List<String> notes(ReplayOutcome outcome, int rows) {
    List<String> notes = new ArrayList<>(ReplayLines.notes(outcome));
    for (Verdict verdict : List.of(Verdict.COULD_NOT_RUN, Verdict.SKIPPED)) {
      outcome
          .summary
          .reasons(verdict)
          .forEach((reason, count) -> notes.add(count + " " + verdict.label() + ": " + reason));
    }
    long worthALine =
        outcome.requests()
            - outcome.summary.count(Verdict.SAME)
            - outcome.summary.count(Verdict.COPY);
    if (worthALine > rows) {
      notes.add("%d requests are counted but not listed".formatted(worthALine - rows));
    }
    return notes;
  }

  private static ReportData.Row row(Finding finding) {
    CaseTimings timings = finding.timings();
    List<ReportData.Side> sides = new ArrayList<>();
    finding
        .differences()
        .forEach(
            each ->
                sides.add(
                    new ReportData.Side(
                        each.type().name(), each.what(), each.recorded(), each.replayed())));
    return new ReportData.Row(
        finding.verdict() == Verdict.UNREADABLE ? "request " + finding.ordinal() : finding.name(),
        finding.group(),
        finding.verdict().label(),
        null,
        finding.reason(),
        timings == null ? 0 : timings.replayed().totalMs(),
        timings == null ? 0 : timings.replayed().queuedMs(),
        timings == null || timings.recorded() == null ? null : timings.recorded().totalMs(),
        1,
        finding.code(),
        null,
        sides);
  }

  private static List<ReportData.Timing> timings(Summary.TimingTable timings) {
    return timings.recordedTotal.count() == 0
        ? List.of()
        : List.of(
            timing("queued", timings.recordedQueued, timings.replayedQueued),
            timing("ran", timings.recordedRan, timings.replayedRan),
            timing("total", timings.recordedTotal, timings.replayedTotal));
  }

  private static ReportData.Timing timing(
      String name, LogHistogram recorded, LogHistogram replayed) {
    return new ReportData.Timing(name, recorded.quantiles(), replayed.quantiles());
  }
}
