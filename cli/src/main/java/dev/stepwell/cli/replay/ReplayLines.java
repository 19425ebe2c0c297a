package dev.stepwell.cli.replay;

import dev.stepwell.cli.report.LogHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Tells people what a replay has come to. */
final class ReplayLines {
  private static final int MAX_DIVERGENCES = 20;
  private static final int MAX_NAMED = 10;

  private ReplayLines() {}

  static List<String> of(ReplayOutcome outcome) {
    Summary summary = outcome.summary;
    List<String> lines = new ArrayList<>();
    divergences(summary, lines);
    for (Verdict verdict :
        List.of(Verdict.COULD_NOT_RUN, Verdict.SKIPPED, Verdict.NOT_COMPARED, Verdict.UNREADABLE)) {
      named(summary, verdict, lines);
    }
    notes(outcome).forEach(lines::add);
    timings(summary.timings(), lines);
    lines.add(outcome.requests() + " requests: " + counts(summary));
    return lines;
  }

  static String counts(Summary summary) {
    List<String> counts = new ArrayList<>();
    for (Verdict verdict : Verdict.values()) {
      long count = summary.count(verdict);
      if (count > 0 || verdict == Verdict.SAME || verdict == Verdict.DIFFERENT) {
        counts.add(count + " " + verdict.label());
      }
    }
    return String.join(", ", counts);
  }

  /** What the reader must not miss. */
  static List<String> notes(ReplayOutcome outcome) {
    List<String> notes = new ArrayList<>();
    if (outcome.tear != null) {
      notes.add(
          "the log is torn after %d bytes: %s; what is behind was not replayed"
              .formatted(outcome.tear.position(), outcome.tear.reason()));
    }
    if (outcome.orphans > 0) {
      notes.add(outcome.orphans + " results were recorded without their requests");
    }
    outcome
        .summary
        .withheld()
        .forEach(
            (name, count) ->
                notes.add(
                    "the value of %s was left out of the log, and %d requests ran without it: add"
                            .formatted(name, count)
                        + " --env "
                        + name
                        + "=VALUE"));
    return notes;
  }

  private static void divergences(Summary summary, List<String> lines) {
    List<Finding> first = summary.divergences().list();
    for (Finding each : first.subList(0, Math.min(MAX_DIVERGENCES, first.size()))) {
      lines.add(
          "%s differs first: %s"
              .formatted(
                  each.name(),
                  each.types().stream().map(Enum::name).collect(Collectors.joining(", "))));
    }
    long more = summary.divergences().count() - Math.min(MAX_DIVERGENCES, first.size());
    if (more > 0) {
      lines.add("and " + more + " more sessions and one-shots that differ");
    }
  }

  private static void named(Summary summary, Verdict verdict, List<String> lines) {
    summary
        .reasons(verdict)
        .forEach((reason, count) -> lines.add(verdict.label() + ": " + reason + ": " + count));
    List<Finding> findings = summary.named(verdict);
    for (Finding each : findings.subList(0, Math.min(MAX_NAMED, findings.size()))) {
      String what =
          verdict == Verdict.UNREADABLE
              ? "request " + each.ordinal() + ": " + each.reason()
              : each.name();
      lines.add("  " + verdict.label() + ": " + what);
    }
  }

  private static void timings(Summary.TimingTable timings, List<String> lines) {
    if (timings.recordedTotal.count() == 0) {
      return;
    }
    lines.add("milliseconds      recorded p50/p90/p99       replayed p50/p90/p99  ratio of p50");
    lines.add(row("queued", timings.recordedQueued, timings.replayedQueued));
    lines.add(row("ran", timings.recordedRan, timings.replayedRan));
    lines.add(row("total", timings.recordedTotal, timings.replayedTotal));
  }

  private static String row(String name, LogHistogram recorded, LogHistogram replayed) {
    double then = recorded.quantileMs(0.5);
    String ratio =
        then > 0 ? String.format(Locale.ROOT, "%.2f", replayed.quantileMs(0.5) / then) : "-";
    return String.format(
        Locale.ROOT, "%-8s %29s %26s %13s", name, quantiles(recorded), quantiles(replayed), ratio);
  }

  private static String quantiles(LogHistogram histogram) {
    return String.format(
        Locale.ROOT,
        "%.1f/%.1f/%.1f",
        histogram.quantileMs(0.5),
        histogram.quantileMs(0.9),
        histogram.quantileMs(0.99));
  }
}
