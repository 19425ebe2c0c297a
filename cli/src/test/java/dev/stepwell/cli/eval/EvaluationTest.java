package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks over a fake that says what each step's source says. */
final class EvaluationTest {
  private static final RunId RUN = new RunId("e0123456789ab");

  private FakeTopic topic = new FakeTopic();
  private int retries = 2;

  @TempDir private Path folder;

  private List<Task> tasks(String... lines) throws IOException {
    Path file = folder.resolve("tasks.jsonl");
    Files.writeString(file, String.join("\n", lines).replace('\'', '"'));
    return JsonlTasks.read(file, new TaskLimits(null, null));
  }

  private Summary run(List<Task> tasks) throws InterruptedException {
    List<TaskVerdict> verdicts = new ArrayList<>();
    run(tasks, verdicts);
    return new Summary(tasks, verdicts, List.of(1), 1);
  }

  private void run(List<Task> tasks, List<TaskVerdict> verdicts) throws InterruptedException {
    BitSet finished = new BitSet();
    verdicts.forEach(each -> finished.set(each.index()));
    try (Courier courier = topic.connect()) {
      new Evaluation(courier, RUN, 3, new Retries(retries, tried -> {}))
          .run(tasks, finished, verdicts::add, Progress.NONE);
    }
  }

  private static SampleVerdict only(Summary summary) {
    assertThat(summary.samples()).hasSize(1);
    return summary.samples().get(0);
  }

  @Test
  void taskOfOneStep_isAOneShot_andOneOfSeveralASessionThatIsEnded() throws Exception {
    Summary summary = run(tasks("{'id':'a','steps':['ok']}", "{'id':'b','steps':['ok','ok']}"));

    assertThat(summary.tally()).isEqualTo(new Tally(2, 0, 0));
    assertThat(topic.published)
        .containsExactlyInAnyOrder(
            RUN.of("t0.s1.1.1"), RUN.of("t1.s1.1.1"), RUN.of("t1.s1.2.1"), RUN.of("t1.s1.end"));
    await().until(() -> topic.finished.equals(Set.copyOf(topic.published)));
  }

  @Test
  void stepThatGoesOtherwise_endsItsTask() throws Exception {
    SampleVerdict verdict = only(run(tasks("{'id':'a','steps':['ok','fail','ok']}")));

    assertThat(verdict.status()).isEqualTo(Status.FAILED);
    assertThat(verdict.reason()).isEqualTo("step 2: outcome is FAILED, expected [COMPLETED]");
    assertThat(verdict.output()).isEqualTo("out of fail\n");
    assertThat(verdict.figures().steps()).isEqualTo(2);
    assertThat(verdict.figures().outcomes()).hasToString("{COMPLETED=1, FAILED=1}");
    assertThat(topic.published(".s1.3.")).isEmpty();
  }

  @Test
  void failureOfTheUsersCode_isNeverTriedAgain() throws Exception {
    run(tasks("{'id':'a','steps':['fail ok'],'repeatable':true}"));
    assertThat(topic.published).hasSize(1);
  }

  @Test
  void shortage_isTriedAgain_anywhere() throws Exception {
    SampleVerdict verdict = only(run(tasks("{'id':'a','steps':['ok','shortage shortage ok']}")));

    assertThat(verdict.status()).isEqualTo(Status.PASSED);
    assertThat(verdict.figures().attempts()).isEqualTo(4);
    assertThat(verdict.figures().steps()).isEqualTo(2);
    assertThat(topic.published(".s1.2."))
        .containsExactly(RUN.of("t0.s1.2.1"), RUN.of("t0.s1.2.2"), RUN.of("t0.s1.2.3"));
  }

  @Test
  void shortageThatStays_isTriedAsOftenAsAllowed() throws Exception {
    retries = 1;
    SampleVerdict verdict = only(run(tasks("{'id':'a','steps':['shortage']}")));

    assertThat(verdict.status()).isEqualTo(Status.INFRASTRUCTURE);
    assertThat(verdict.reason()).isEqualTo("NO_SANDBOX: said the fake");
    assertThat(topic.published).hasSize(2);
  }

  @Test
  void lostSandbox_isTriedAgainWhereNothingWasBefore_andElsewhereNot() throws Exception {
    Summary summary =
        run(
            tasks(
                "{'id':'one-shot','steps':['lost ok']}",
                "{'id':'first','steps':['lost ok','ok']}",
                "{'id':'later','steps':['ok','lost ok']}",
                "{'id':'poison','steps':['poison ok']}"));

    assertThat(summary.samples())
        .extracting(each -> each.id() + " " + each.status().text())
        .containsExactly(
            "one-shot passed", "first passed", "later infrastructure", "poison infrastructure");
    assertThat(topic.published(".t2.s1.2.")).hasSize(1);
    assertThat(topic.published(".t3.")).hasSize(1);
  }

  @Test
  void repeatableTask_isBegunAnewInANewSession() throws Exception {
    SampleVerdict verdict =
        only(run(tasks("{'id':'a','steps':['ok','lost ok','ok'],'repeatable':true}")));

    assertThat(verdict.status()).isEqualTo(Status.PASSED);
    assertThat(verdict.figures().attempts()).isEqualTo(5);
    assertThat(topic.published)
        .contains(RUN.of("t0.s1.end"), RUN.of("t0.s1-2.1.1"), RUN.of("t0.s1-2.end"));
  }

  @Test
  void expectedFailureOfOurs_isNone() throws Exception {
    SampleVerdict verdict =
        only(run(tasks("{'id':'a','steps':['lost'],'expect':{'outcome':'INFRASTRUCTURE'}}")));
    assertThat(verdict.status()).isEqualTo(Status.PASSED);
    assertThat(topic.published).hasSize(1);
  }

  @Test
  void bestOf_passesIfAnyDoes_andEachRunsInAForkWithItsCheck() throws Exception {
    Summary summary =
        run(
            tasks(
                "{'id':'a','prepare':['ok','ok'],'check':['ok'],'reseed':true,"
                    + "'candidates':[['ok','fail'],['ok'],['ok']]}"));

    assertThat(summary.tally()).isEqualTo(new Tally(1, 0, 0));
    assertThat(summary.samples())
        .extracting(each -> each.id() + " " + each.status().text())
        .containsExactly("a#1 failed", "a#2 passed", "a#3 passed");
    assertThat(summary.lines()).contains("3 candidates: 2 passed, 1 failed, 0 infrastructure");
    assertThat(summary.lines()).contains("pass@1: 0.6667");
    for (int candidate = 1; candidate <= 3; candidate++) {
      assertThat(topic.published(".s" + candidate + ".fork.")).hasSize(1);
      assertThat(topic.published(".s" + candidate + ".end")).hasSize(1);
    }
    assertThat(topic.published(".s0.")).hasSize(4).last().asString().endsWith(".end");
    assertThat(topic.published).last().asString().endsWith("t0.s0.end");
  }

  @Test
  void candidatesThatAllFail_failTheTask_andOneWithoutAVerdictLeavesItOpen() throws Exception {
    Summary summary =
        run(
            tasks(
                "{'id':'a','candidates':[['fail'],['fail']]}",
                "{'id':'b','candidates':[['fail'],['poison']]}"));

    assertThat(summary.tally()).isEqualTo(new Tally(0, 1, 1));
    assertThat(summary.unpassed())
        .containsExactly(
            "failed a: none of 2 candidates passed; a#1: step 1: outcome is FAILED, expected"
                + " [COMPLETED]",
            "infrastructure b: none of 2 candidates passed; b#2: ATTEMPTS_EXHAUSTED: said the"
                + " fake");
    assertThat(summary.lines().get(2))
        .isEqualTo("pass@1: 0.0000 (1 samples without a verdict left out)");
  }

  @Test
  void failingPreparation_failsTheTask_andNoCandidateRuns() throws Exception {
    Summary summary = run(tasks("{'id':'a','prepare':['ok','fail'],'candidates':[['ok'],['ok']]}"));

    assertThat(summary.tally()).isEqualTo(new Tally(0, 1, 0));
    assertThat(summary.samples())
        .hasSize(2)
        .allSatisfy(
            each ->
                assertThat(each.reason())
                    .isEqualTo("not run: prepare step 2: outcome is FAILED, expected [COMPLETED]"));
    assertThat(topic.published).hasSize(3).noneMatch(id -> id.contains(".s1"));
  }

  @Test
  void lostFork_ofARepeatableTask_isMadeAnewFromTheSamePreparation() throws Exception {
    Summary summary =
        run(
            tasks(
                "{'id':'a','prepare':['ok'],'repeatable':true,"
                    + "'candidates':[['ok','lost ok'],['ok']]}"));

    assertThat(summary.sampleTally()).isEqualTo(new Tally(2, 0, 0));
    assertThat(topic.published(".s0.1.")).hasSize(1);
    assertThat(topic.published).contains(RUN.of("t0.s1.fork.1"), RUN.of("t0.s1-2.fork.1"));
  }

  @Test
  void interruptedEvaluation_endsAsOneThatWasNot_andPublishesNothingTwice() throws Exception {
    List<Task> tasks =
        tasks(
            "{'id':'a','steps':['ok','shortage ok','ok']}",
            "{'id':'b','prepare':['ok'],'check':['ok'],'candidates':[['ok'],['fail'],['ok','ok']]}",
            "{'id':'c','steps':['fail ok']}",
            "{'id':'d','steps':['ok','lost ok'],'repeatable':true}",
            "{'id':'e','steps':['ok']}");
    List<String> whole = outcomes(run(tasks));
    List<String> wanted = List.copyOf(topic.published);
    Random random = new Random(5);
    for (int round = 0; round < 30; round++) {
      topic = new FakeTopic();
      List<TaskVerdict> journal = new ArrayList<>();
      int processes = 0;
      do {
        topic.lives = processes++ < 3 ? random.nextInt(12) : Integer.MAX_VALUE;
      } while (!ends(tasks, journal));
      assertThat(outcomes(new Summary(tasks, journal, List.of(1), 1))).isEqualTo(whole);
      assertThat(topic.published).doesNotHaveDuplicates();
      assertThat(new HashSet<>(topic.published)).isEqualTo(new HashSet<>(wanted));
    }
  }

  private boolean ends(List<Task> tasks, List<TaskVerdict> journal) throws InterruptedException {
    try {
      run(tasks, journal);
      return true;
    } catch (CommandException e) {
      return false;
    }
  }

  private static List<String> outcomes(Summary summary) {
    return summary.samples().stream()
        .map(
            each ->
                each.id()
                    + each.status()
                    + each.reason()
                    + each.figures().attempts()
                    + each.figures().outcomes()
                    + each.output())
        .toList();
  }

  @Test
  void nothingLeftToAsk_endsTheEvaluationWithTheReason() throws Exception {
    List<Task> tasks = tasks("{'id':'a','steps':['ok']}");
    topic.lives = 0;
    assertThatThrownBy(() -> run(tasks))
        .isInstanceOf(CommandException.class)
        .hasMessage("the process was killed");
  }

  @Test
  void indexOfARequest_isThatOfItsTask() {
    assertThat(TaskRequests.indexOf(RUN.of("t12.s3-2.2.1"))).isEqualTo(12);
    assertThat(TaskRequests.indexOf(RUN.of("t0.s0.end"))).isZero();
    assertThat(TaskRequests.indexOf("other")).isEqualTo(-1);
    assertThat(TaskRequests.indexOf("a.tx.1")).isEqualTo(-1);
  }
}
