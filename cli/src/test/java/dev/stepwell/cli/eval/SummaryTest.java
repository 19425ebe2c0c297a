package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.stepwell.cli.report.ReportData;
import dev.stepwell.protocol.StepKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SummaryTest {
  private static Task.TaskStep step() {
    TaskFields place = new TaskFields("test", NullNode.getInstance());
    return new Task.TaskStep(
        StepFields.request(
            place,
            StepKind.PYTHON,
            "source",
            List.of(),
            null,
            new TaskLimits(null, null).defaults(),
            Map.of()),
        Expectation.COMPLETED);
  }

  private static Task sample(String group, int sample, String text) {
    return Task.sample(group + "#" + sample, group, sample, step(), text);
  }

  private static TaskVerdict verdict(int index, Task task, Status status, double latencyMs) {
    SampleVerdict.Figures figures =
        new SampleVerdict.Figures(
            1, 1, 1000 + index, 2000 + index, latencyMs, 1, 2, Map.of("COMPLETED", 1));
    SampleVerdict only =
        new SampleVerdict(
            task.id(),
            task.group(),
            task.sample(),
            status,
            status == Status.PASSED ? null : "reason",
            "COMPLETED",
            figures,
            status == Status.PASSED ? null : "output");
    return new TaskVerdict(index, task.id(), List.of(only));
  }

  private static final List<Task> TASKS =
      List.of(
          sample("T/0", 1, "same"),
          sample("T/0", 2, "same"),
          sample("T/1", 1, "one"),
          sample("T/1", 2, "two"),
          sample("T/2", 1, "same"),
          sample("T/2", 2, "same"));

  private static List<TaskVerdict> verdicts() {
    List<TaskVerdict> verdicts = new ArrayList<>();
    List<Status> statuses =
        List.of(
            Status.PASSED,
            Status.FAILED,
            Status.PASSED,
            Status.FAILED,
            Status.PASSED,
            Status.INFRASTRUCTURE);
    for (int i = 0; i < TASKS.size(); i++) {
      verdicts.add(verdict(i, TASKS.get(i), statuses.get(i), 10 * (i + 1)));
    }
    return verdicts;
  }

  @Test
  void taskWithDifferentVerdictsOnTheSameCode_isFlaky_andOthersAreNot() {
    Summary summary = new Summary(TASKS, verdicts(), List.of(1), 2);
    assertThat(summary.flaky()).containsExactly("T/0");
    assertThat(summary.lines()).contains("1 flaky, with different verdicts on the same code: T/0");
  }

  @Test
  void lines_tellAll() {
    assertThat(new Summary(TASKS, verdicts(), List.of(1, 2), 2).lines())
        .containsExactly(
            "6 tasks: 3 passed, 2 failed, 1 infrastructure",
            "pass@1: 0.6667 (1 samples without a verdict left out)",
            "pass@2: 1.0000 over 2 of 3 tasks: the others have fewer samples"
                + " (1 samples without a verdict left out)",
            "rate: 3.0 tasks/s over 2.0 s",
            "latency: p50 30.0 ms, p90 60.0 ms, p99 60.0 ms, max 60.0 ms",
            "queueing: p50 1.0 ms, p90 1.0 ms, p99 1.0 ms, max 1.0 ms",
            "slowest: T/2#2 60.0 ms, T/2#1 50.0 ms, T/1#2 40.0 ms, T/1#1 30.0 ms, T/0#2 20.0 ms",
            "1 flaky, with different verdicts on the same code: T/0");
  }

  @Test
  void order_doesNotMatter() {
    List<TaskVerdict> shuffled = verdicts();
    Collections.reverse(shuffled);
    Summary one = new Summary(TASKS, verdicts(), List.of(1), 2);
    Summary other = new Summary(TASKS, shuffled, List.of(1), 2);

    assertThat(other).isEqualTo(one);
    assertThat(EvalReport.of(other, "t")).isEqualTo(EvalReport.of(one, "t"));
  }

  @Test
  void report_hasWhatDidNotPassFirst() {
    ReportData report = EvalReport.of(new Summary(TASKS, verdicts(), List.of(1), 2), "tasks");

    assertThat(report.rows())
        .extracting(ReportData.Row::id)
        .containsExactly("T/0#2", "T/1#2", "T/2#2", "T/0#1", "T/1#1", "T/2#1");
    assertThat(report.rows().get(0).code()).isEqualTo("source");
    assertThat(report.counts()).isEqualTo(Map.of("passed", 3L, "failed", 2L, "infrastructure", 1L));
    assertThat(report.facts()).containsKeys("pass@1", "latency");
    assertThat(report.seconds().stream().mapToLong(ReportData.Slice::done).sum()).isEqualTo(6);
    assertThat(report.startedAtMs()).isEqualTo(1000);
  }

  @Test
  void journal_givesBackWhatWasWritten() {
    TaskVerdict verdict = verdict(3, TASKS.get(3), Status.FAILED, 12.5);
    VerdictJson.Entry entry = VerdictJson.entry(VerdictJson.task(verdict, 77));
    assertThat(entry).isEqualTo(new VerdictJson.Entry(verdict, 77));
  }

  @Test
  void excerpt_isTheEndOfAtMostTwoKibibytes() {
    assertThat(Excerpt.code("x".repeat(5000))).hasSize(4096 + 3);
    assertThat(Excerpt.code("short")).isEqualTo("short");
  }
}
