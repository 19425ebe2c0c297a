package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.process.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code stepwell eval} as a process, killed and not, with a real broker and real sandboxes. */
@Timeout(300)
@NullUnmarked // Looks into answers that it knows to be there.
final class EvalIT {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int KILLS = 3;

  private static LocalStack stack;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws InterruptedException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    System.setProperty("stepwell.home", Path.of("..").toAbsolutePath().normalize().toString());
    stack = LocalStack.start(LocalOptions.temporary(BackendName.BUBBLEWRAP, List.of(), 2));
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void candidates_runInForks_andEachHasAVerdict() throws Exception {
    Path out = folder.resolve("out.jsonl");
    Path csv = folder.resolve("out.csv");
    Path report = folder.resolve("report.html");

    CliProcess eval =
        eval("--k", "1,2", "--out", out, "--csv", csv, "--report", report, "../tasks/forks.jsonl");

    assertThat(eval.exitCode()).as(eval.out() + eval.err()).isEqualTo(ExitCodes.OK);
    assertThat(eval.out())
        .contains("6 tasks: 6 passed, 0 failed, 0 infrastructure")
        .contains("16 candidates: 10 passed, 6 failed, 0 infrastructure")
        .contains("pass@1: ")
        .contains("pass@2: ")
        .contains("queueing: p50 ");
    Map<String, JsonNode> results = results(out);
    assertThat(results).hasSize(16);
    assertThat(results.get("forks/clean-a-table#1").get("reason").textValue())
        .startsWith("step 1: outcome is FAILED ('ValueError");
    assertThat(results.get("forks/dangerous-attempts-stay-apart#1").get("reason").textValue())
        .startsWith("check step 1: outcome is FAILED ('AssertionError");
    assertThat(results.get("forks/dangerous-attempts-stay-apart#2").get("outcome").textValue())
        .isEqualTo("TIMED_OUT");
    assertThat(Files.readString(csv)).startsWith("id,task,sample,status,").contains("\r\n");
    assertThat(Files.readString(report)).contains("forks/clean-a-table#1");
    assertThat(folder.resolve("state/stepwell/runs")).isEmptyDirectory();
  }

  @Test
  void flakyTask_isNamed() throws Exception {
    Path tasks = folder.resolve("tasks.jsonl");
    Files.writeString(
        tasks,
        """
        {"id": "draws", "prepare": ["import random"], "reseed": true, "candidates": [%s], "check": ["assert draw < 0.5"]}
        """
            .formatted(String.join(",", Collections.nCopies(24, "[\"draw = random.random()\"]"))));

    CliProcess eval = eval("--out", folder.resolve("out.jsonl"), tasks);

    assertThat(eval.exitCode()).as(eval.out() + eval.err()).isEqualTo(ExitCodes.OK);
    assertThat(eval.out()).contains("1 flaky, with different verdicts on the same code: draws");
  }

  @Test
  void killedEvaluation_endsAsOneThatWasNot_andPublishesNothingTwice() throws Exception {
    Path tasks = Files.writeString(folder.resolve("tasks.jsonl"), tasks(16, 0.05));
    Path whole = folder.resolve("whole.jsonl");
    CliProcess uninterrupted = eval("--work", folder.resolve("a"), "--out", whole, tasks);
    assertThat(uninterrupted.exitCode()).as(uninterrupted.err()).isEqualTo(ExitCodes.FAILED);
    Set<String> before = Set.copyOf(Committed.evaluated(stack.bootstrap(), "stepwell.requests"));

    Path work = folder.resolve("b");
    Path out = folder.resolve("out.jsonl");
    Random random = new Random();
    for (int kill = 0; kill < KILLS; kill++) {
      int lines = 10 * kill + random.nextInt(8);
      try (CliProcess eval = begin("--resume", "--work", work, "--out", out, tasks)) {
        await()
            .atMost(Duration.ofMinutes(2))
            .pollInterval(Duration.ofMillis(20))
            .until(() -> linesOf(work.resolve("journal.jsonl")) >= lines);
        assertThat(eval.process().isAlive()).as(eval.err()).isTrue();
      }
    }
    CliProcess refused = eval("--work", work, "--out", folder.resolve("none"), tasks);
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(refused.err()).contains("add --resume to go on");

    CliProcess resumed = eval("--resume", "--work", work, "--out", out, tasks);

    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCodes.FAILED);
    assertThat(counts(resumed)).isEqualTo(counts(uninterrupted));
    assertThat(timeless(out)).isEqualTo(timeless(whole));
    assertThat(work).doesNotExist();
    List<String> published =
        Committed.evaluated(stack.bootstrap(), "stepwell.requests").stream()
            .filter(id -> !before.contains(id))
            .toList();
    List<String> answered =
        Committed.evaluated(stack.bootstrap(), "stepwell.results").stream()
            .filter(id -> !before.contains(id))
            .toList();
    assertThat(published).hasSizeGreaterThan(100).doesNotHaveDuplicates();
    assertThat(answered).containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void killedEvaluationWithABrokerOfItsOwn_goesOn() throws Exception {
    Path tasks = Files.writeString(folder.resolve("tasks.jsonl"), tasks(16, 0.05));
    Path work = folder.resolve("work");
    Path out = folder.resolve("out.jsonl");
    Object[] command = {"--backend", "bubblewrap", "--work", work, "--out", out, tasks};
    try (CliProcess eval = start(command)) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> linesOf(work.resolve("journal.jsonl")) >= 12);
      assertThat(eval.process().isAlive()).as(eval.err()).isTrue();
    }

    List<Object> again = new ArrayList<>(List.of(command));
    again.add("--resume");
    CliProcess resumed = start(again.toArray());

    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCodes.FAILED);
    assertThat(resumed.out()).contains("48 tasks: 47 passed, 1 failed, 0 infrastructure");
    assertThat(results(out)).hasSize(48 + 8);
  }

  @Test
  void evaluationThatCouldNotBegin_leavesNothingToGoOnWith() throws Exception {
    Path tasks = Files.writeString(folder.resolve("tasks.jsonl"), tasks(16, 0.05));
    for (int i = 0; i < 2; i++) {
      CliProcess eval = start("--bootstrap", "localhost:1", tasks);
      assertThat(eval.exitCode()).as(eval.err()).isEqualTo(ExitCodes.COULD_NOT_RUN);
      assertThat(eval.err()).contains("localhost:1").doesNotContain("--resume");
    }
  }

  /** One-shots, sessions and forks, so many of each, that sleep; the eighth one-shot fails. */
  static String tasks(int each, double sleepSeconds) {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < each; i++) {
      tasks.append(
          """
          {"id":"one-%1$d","steps":["import time\\ntime.sleep(%5$s)\\nprint(%1$d)"],"expect":{"stdout":"%2$d\\n"}}
          {"id":"line-%1$d","steps":["n = %1$d","n += 1","import time\\ntime.sleep(%5$s)\\nn"],"expect":{"value":"%3$d"}}
          {"id":"forks-%1$d","prepare":["n = %1$d"],"candidates":[%4$s["n += 1"]],"check":["assert n > %1$d"]}
          """
              .formatted(
                  i, i == 7 ? 0 : i, i + 1, i % 2 == 0 ? "[\"n -= 1\"]," : "", sleepSeconds));
    }
    return tasks.toString();
  }

  private CliProcess eval(Object... more) throws IOException, InterruptedException {
    CliProcess eval = begin(more);
    eval.exitCode();
    return eval;
  }

  private CliProcess begin(Object... more) throws IOException {
    List<Object> arguments =
        new ArrayList<>(List.of("--bootstrap", stack.bootstrap(), "--concurrency", "4"));
    arguments.addAll(List.of(more));
    return start(arguments.toArray());
  }

  private CliProcess start(Object... more) throws IOException {
    return CliProcess.start(
        folder,
        Stream.concat(Stream.of("eval"), Stream.of(more).map(Object::toString))
            .toArray(String[]::new));
  }

  /** How many tasks of an evaluation have a verdict. */
  static long linesOf(Path journal) throws IOException {
    if (!Files.exists(journal)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(journal)) {
      return lines.filter(line -> line.contains("\"samples\"")).count();
    }
  }

  private static List<String> counts(CliProcess eval) throws IOException {
    return eval.out()
        .lines()
        .filter(line -> !line.matches("(rate|latency|queueing|slowest): .*"))
        .toList();
  }

  private static Map<String, JsonNode> results(Path out) throws IOException {
    Map<String, JsonNode> byId = new TreeMap<>();
    for (String line : Files.readAllLines(out)) {
      JsonNode result = MAPPER.readTree(line);
      assertThat(byId.put(result.get("id").textValue(), result)).as(line).isNull();
    }
    return byId;
  }

  /** What may not differ between two runs of the same. */
  private static Map<String, JsonNode> timeless(Path out) throws IOException {
    Map<String, JsonNode> results = results(out);
    results
        .values()
        .forEach(
            each ->
                ((ObjectNode) each)
                    .remove(List.of("startedAtMs", "endedAtMs", "latencyMs", "queuedMs", "ranMs")));
    return results;
  }
}
