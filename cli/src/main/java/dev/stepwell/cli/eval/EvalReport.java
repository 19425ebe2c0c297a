package dev.stepwell.cli.eval;

import dev.stepwell.cli.report.ReportData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An evaluation's summary in the form that reports are made of. */
public final class EvalReport {
  /** More rows than this nobody reads, and a page gets slow. */
  private static final int MAX_ROWS = 5000;

  private EvalReport() {}

  /**
   * The report of an evaluation.
   *
   * @param title what to call it
   */
  public static ReportData of(Summary summary, String title) {
    List<SampleVerdict> samples = summary.samples();
    Tally counts = summary.sampleTally();
    return new ReportData(
        ReportData.Kind.EVALUATION,
        title,
        Latencies.startedAtMs(samples),
        Math.round(summary.elapsedSeconds() * 1000),
        facts(summary),
        notes(summary),
        counts(counts),
        rows(summary),
        Latencies.slices(samples));
  }

  private static Map<String, String> facts(Summary summary) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("tasks", summary.tally().total() + ": " + summary.tally());
    summary
        .passAtK()
        .forEach((name, line) -> facts.put(name, line.substring(name.length() + ": ".length())));
    facts.put("rate", "%.1f tasks/s".formatted(summary.tally().total() / summary.elapsedSeconds()));
    facts.put("latency", Tally.quantiles(summary.latencies()));
    facts.put("queueing", Tally.quantiles(summary.queueing()));
    return facts;
  }

  private static List<String> notes(Summary summary) {
    List<String> notes = new ArrayList<>();
    int unknown = summary.sampleTally().infrastructure();
    if (unknown > 0) {
      notes.add(unknown + " samples have no verdict: what ran them failed, not their code.");
    }
    List<String> flaky = summary.flaky();
    if (!flaky.isEmpty()) {
      notes.add(
          flaky.size()
              + " tasks are flaky, with different verdicts on the same code: "
              + String.join(", ", flaky.subList(0, Math.min(flaky.size(), 20))));
    }
    int all = summary.samples().size();
    if (all > MAX_ROWS) {
      notes.add("The first %d of %d samples are listed.".formatted(MAX_ROWS, all));
    }
    return notes;
  }

  private static Map<String, Long> counts(Tally tally) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(Status.PASSED.text(), (long) tally.passed());
    counts.put(Status.FAILED.text(), (long) tally.failed());
    counts.put(Status.INFRASTRUCTURE.text(), (long) tally.infrastructure());
    return counts;
  }

  /** Those that did not pass first. */
  private static List<ReportData.Row> rows(Summary summary) {
    Map<String, String> code = new HashMap<>();
    List<SampleVerdict> listed =
        summary.samples().stream()
            .sorted(Comparator.comparing(each -> each.status() == Status.PASSED))
            .limit(MAX_ROWS)
            .toList();
    for (TaskVerdict verdict : summary.verdicts()) {
      Task task = summary.tasks().get(verdict.index());
      for (int i = 0; i < verdict.samples().size(); i++) {
        code.put(verdict.samples().get(i).id(), code(task, task.candidates().get(i)));
      }
    }
    return listed.stream().map(each -> row(each, code.get(each.id()))).toList();
  }

  private static String code(Task task, Task.Candidate candidate) {
    List<Task.TaskStep> steps = new ArrayList<>(task.prepare());
    steps.addAll(candidate.steps());
    steps.addAll(task.check());
    return Excerpt.code(
        steps.stream().map(Task.TaskStep::code).collect(Collectors.joining("\n\n")));
  }

  private static ReportData.Row row(SampleVerdict verdict, @Nullable String code) {
    SampleVerdict.Figures figures = verdict.figures();
    return new ReportData.Row(
        verdict.id(),
        verdict.task(),
        verdict.status().text(),
        verdict.outcome(),
        verdict.reason(),
        figures.latencyMs(),
        figures.queuedMs(),
        null,
        figures.attempts(),
        code,
        verdict.output(),
        List.of());
  }
}
