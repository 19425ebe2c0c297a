package dev.stepwell.cli.eval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of an evaluation; immutable. It is the same whatever order tasks ended in.
 *
 * @param tasks what was to run
 * @param verdicts one for each of the tasks, in their order
 * @param ks for which numbers pass@k is told, possibly none
 * @param elapsedSeconds how long it ran, without the time in which it was interrupted
 */
public record Summary(
    List<Task> tasks, List<TaskVerdict> verdicts, List<Integer> ks, double elapsedSeconds) {
  /** Enough to see what is wrong; the result file has them all. */
  private static final int UNPASSED_SHOWN = 10;

  private static final int SLOWEST_SHOWN = 5;
  private static final int FLAKY_SHOWN = 10;

  /** Copies, and puts the verdicts into their tasks' order. */
  public Summary {
    tasks = List.copyOf(tasks);
    verdicts = verdicts.stream().sorted(Comparator.comparingInt(TaskVerdict::index)).toList();
    ks = List.copyOf(ks);
  }

  /** The counts of tasks. */
  public Tally tally() {
    Tally tally = Tally.NONE;
    for (TaskVerdict each : verdicts) {
      tally = tally.plus(each.status());
    }
    return tally;
  }

  /** The first tasks that did not pass, a line each. */
  public List<String> unpassed() {
    return verdicts.stream()
        .filter(each -> each.status() != Status.PASSED)
        .limit(UNPASSED_SHOWN)
        .map(each -> each.status().text() + " " + each.task() + ": " + each.reason())
        .toList();
  }

  /** The lines to print. */
  public List<String> lines() {
    Tally tally = tally();
    List<String> lines = new ArrayList<>();
    lines.add(tally.total() + " tasks: " + tally);
    if (samples().size() > tally.total()) {
      Tally candidates = sampleTally();
      lines.add(candidates.total() + " candidates: " + candidates);
    }
    lines.addAll(passAtK().values());
    lines.add(
        "rate: %.1f tasks/s over %.1f s".formatted(tally.total() / elapsedSeconds, elapsedSeconds));
    lines.add("latency: " + Tally.quantiles(latencies()));
    lines.add("queueing: " + Tally.quantiles(queueing()));
    if (samples().size() > SLOWEST_SHOWN) {
      lines.add("slowest: " + slowest());
    }
    List<String> flaky = flaky();
    if (!flaky.isEmpty()) {
      lines.add(flakyLine(flaky));
    }
    return lines;
  }

  List<SampleVerdict> samples() {
    return verdicts.stream().flatMap(each -> each.samples().stream()).toList();
  }

  Tally sampleTally() {
    Tally tally = Tally.NONE;
    for (SampleVerdict each : samples()) {
      tally = tally.plus(each.status());
    }
    return tally;
  }

  double[] latencies() {
    return Latencies.of(samples(), SampleVerdict.Figures::latencyMs);
  }

  double[] queueing() {
    return Latencies.of(samples(), SampleVerdict.Figures::queuedMs);
  }

  /** Each number's line, by {@code pass@k}. */
  Map<String, String> passAtK() {
    Map<String, PassAtK.Counts> byGroup = new LinkedHashMap<>();
    for (SampleVerdict each : samples()) {
      PassAtK.Counts before = byGroup.getOrDefault(each.task(), new PassAtK.Counts(0, 0));
      byGroup.put(each.task(), before.plus(each.status()));
    }
    int left = sampleTally().infrastructure();
    Map<String, String> lines = new LinkedHashMap<>();
    for (PassAtK each : PassAtK.of(byGroup.values(), ks)) {
      String name = "pass@" + each.k();
      lines.put(
          name,
          String.format(Locale.ROOT, "%s: %.4f", name, each.estimate())
              + (each.tasks() == byGroup.size()
                  ? ""
                  : " over %d of %d tasks: the others have fewer samples"
                      .formatted(each.tasks(), byGroup.size()))
              + (left == 0 ? "" : " (%d samples without a verdict left out)".formatted(left)));
    }
    return lines;
  }

  /** Tasks of which samples of the same text had different verdicts. */
  List<String> flaky() {
    Map<String, Map<String, Set<Status>>> seen = new LinkedHashMap<>();
    for (TaskVerdict verdict : verdicts) {
      Task task = tasks.get(verdict.index());
      for (int i = 0; i < verdict.samples().size(); i++) {
        Status status = verdict.samples().get(i).status();
        if (status != Status.INFRASTRUCTURE) {
          seen.computeIfAbsent(task.group(), ignored -> new TreeMap<>())
              .computeIfAbsent(
                  task.candidates().get(i).text(), ignored -> EnumSet.noneOf(Status.class))
              .add(status);
        }
      }
    }
    return seen.entrySet().stream()
        .filter(each -> each.getValue().values().stream().anyMatch(found -> found.size() > 1))
        .map(Map.Entry::getKey)
        .toList();
  }

  private String slowest() {
    return samples().stream()
        .sorted(
            Comparator.comparingDouble((SampleVerdict each) -> -each.figures().latencyMs())
                .thenComparing(SampleVerdict::id))
        .limit(SLOWEST_SHOWN)
        .map(each -> "%s %.1f ms".formatted(each.id(), each.figures().latencyMs()))
        .collect(Collectors.joining(", "));
  }

  private static String flakyLine(List<String> flaky) {
    return flaky.size()
        + " flaky, with different verdicts on the same code: "
        + flaky.stream().limit(FLAKY_SHOWN).collect(Collectors.joining(", "))
        + (flaky.size() > FLAKY_SHOWN ? ", ..." : "");
  }
}
