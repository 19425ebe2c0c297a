package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Value;
import dev.stepwell.worker.runner.StepReport.Ending;
import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.StepLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a step, whatever its sandbox says. */
@Timeout(120) // Ends a test that hangs; nothing here depends on it.
class StepConversationTest {
  private static final long SEED = 20_261_120;
  private static final long NEVER_MS = 3_600_000;
  private static final RunnerTimeouts PATIENT =
      new RunnerTimeouts(NEVER_MS, NEVER_MS, NEVER_MS, NEVER_MS, NEVER_MS);

  private static final Value FIGURE = new Value("figure", "t", Map.of());

  private final ScriptedSandbox sandbox = new ScriptedSandbox();
  private final Watchdog watchdog = new Watchdog();
  private final AtomicInteger starts = new AtomicInteger();

  @AfterEach
  void stopWatchdog() {
    watchdog.close();
  }

  @Test
  void step_isReportedWhole() throws Exception {
    sandbox
        .says('A')
        .says('O', utf8("out"))
        .says('G', shown("figure"))
        .says('E', utf8("err"))
        .says('V', "ending", "completed", "value.text", "1", "value.type", "builtins.int", "?", "")
        .says('T', utf8("new"))
        .says('M', utf8("snap"))
        .says('M', utf8("shot"))
        .says(
            'S',
            "kept",
            "2",
            "lost.0.name",
            "g",
            "lost.0.path",
            "g[0]",
            "lost.0.type",
            "t",
            "lost.0.reason",
            "r")
        .says('Z', "exitCode", "0", "stdoutDropped", "5", "cpuUs", "1500", "maxRssBytes", "9");
    StepReport report = run(PATIENT);

    assertThat(starts).hasValue(1);
    assertThat(report.output()).isEqualTo(new StepReport.Output("out", "err", 5, 0));
    assertThat(report.displays()).containsExactly(FIGURE);
    assertThat(Objects.requireNonNull(report.verdict()).ending()).isEqualTo(Ending.COMPLETED);
    assertThat(report.state().saved()).isTrue();
    assertThat(report.state().body()).isEqualTo(utf8("snapshot"));
    assertThat(report.state().kept()).isEqualTo(2);
    assertThat(report.state().lost()).containsExactly(new LostValue("g", "g[0]", "t", "r", null));
    assertThat(report.end()).isEqualTo(new StepReport.End(0, null, KilledBy.NONE, null));
    assertThat(report.measures().cpuMs()).isEqualTo(1.5);
    assertThat(report.measures().maxRssBytes()).isEqualTo(9);
  }

  @Test
  void snapshotWithoutItsLastWord_isNone() throws Exception {
    sandbox
        .says('A')
        .says('V', "ending", "completed")
        .says('M', utf8("half"))
        .says('Z', "signal", "9");

    assertThat(run(PATIENT).state()).isEqualTo(StepReport.State.NONE);
  }

  @Test
  void sandboxThatEndsBeforeTheCode_isAnExceptionWithItsDiagnostics() {
    sandbox.ends();

    assertThatThrownBy(() -> run(PATIENT))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isFalse())
        .hasMessageContaining("scripted diagnostics");
    assertThat(starts).hasValue(0);
  }

  @Test
  void sandboxThatEndsAfterTheCodeBegan_isLostWithWhatItSaid() throws Exception {
    sandbox.says('A').says('O', utf8("until here")).ends();
    StepReport report = run(PATIENT);

    assertThat(report.started()).isTrue();
    assertThat(report.end().lost()).contains("the sandbox has ended");
    assertThat(report.output().stdout()).isEqualTo("until here");
  }

  @Test
  void framesOutOfTurn_loseTheSandbox() throws Exception {
    for (char type : new char[] {'A', 'T', 'M', 'S', 'R', 'P', 'D', 'F', 'x'}) {
      ScriptedSandbox other = new ScriptedSandbox().says('A').says(type);
      assertThat(run(other, PATIENT).end().lost()).as("frame %s", type).contains("a frame " + type);
    }
  }

  @Test
  void displaysOutOfTurn_loseTheSandbox() throws Exception {
    for (ScriptedSandbox other :
        List.of(
            new ScriptedSandbox().says('A').says('V', "ending", "completed"),
            new ScriptedSandbox()
                .says('A')
                .says('V', "ending", "completed")
                .says('S', "failed", "why"))) {
      StepReport report = run(other.says('G', shown("late")), PATIENT);
      assertThat(report.end().lost()).contains("a frame G");
      assertThat(report.displays()).isEmpty();
    }
    assertThatThrownBy(() -> run(sandbox.says('G', shown("early")), PATIENT))
        .isInstanceOf(SandboxException.class);
  }

  @Test
  void displays_surviveTheSandboxAndTheTimeLimit() throws Exception {
    ScriptedSandbox lost = new ScriptedSandbox().says('A').says('G', shown("figure")).ends();
    assertThat(run(lost, PATIENT).displays()).containsExactly(FIGURE);

    RunnerTimeouts timeouts = new RunnerTimeouts(NEVER_MS, NEVER_MS, NEVER_MS, NEVER_MS, 1);
    StepReport report = run(sandbox.says('A').says('G', shown("figure")), timeouts, 1);
    assertThat(report.end().killedBy()).isEqualTo(KilledBy.TIME_LIMIT);
    assertThat(report.displays()).containsExactly(FIGURE);
  }

  @Test
  void moreOutputThanAllowed_losesTheSandbox() throws Exception {
    sandbox.says('A').says('O', new byte[600]).says('O', new byte[600]);

    assertThat(run(PATIENT).end().lost()).contains("more than the 1000 bytes");
  }

  @Test
  void endThatSaysNothing_losesTheSandbox() throws Exception {
    for (String[] end : new String[][] {{}, {"exitCode", "1", "signal", "9"}, {"exitCode", "x"}}) {
      ScriptedSandbox other = new ScriptedSandbox().says('A').says('Z', end);
      assertThat(run(other, PATIENT).end().lost()).isNotNull();
    }
  }

  @Test
  void unreadableState_isReportedAndNeverStarts() throws Exception {
    sandbox
        .says('V', "ending", "exception", "restoreError", "no snapshot")
        .says('Z', "exitCode", "1");
    StepReport report = run(PATIENT);

    assertThat(report.started()).isFalse();
    assertThat(starts).hasValue(0);
    assertThat(Objects.requireNonNull(report.verdict()).restoreError()).isEqualTo("no snapshot");
  }

  @Test
  void deathWhileRestoring_isNoInfrastructureFailure() throws Exception {
    sandbox.says('Z', "signal", "9");
    StepReport report = run(PATIENT);

    assertThat(report.started()).isFalse();
    assertThat(report.end().signal()).isEqualTo(9);
  }

  @Test
  void silenceWhileRestoring_destroysTheSandbox() throws Exception {
    StepReport report = run(new RunnerTimeouts(NEVER_MS, NEVER_MS, 1, NEVER_MS, NEVER_MS));

    assertThat(report.end().killedBy()).isEqualTo(KilledBy.RESTORE_LIMIT);
    assertThat(sandbox.isDestroyed()).isTrue();
  }

  @Test
  void timeLimit_asksForTheEndAndTakesIt() throws Exception {
    sandbox.says('A');
    Thread answer =
        new Thread(
            () -> {
              Awaitility.await().until(() -> sandbox.wasTold('K'));
              sandbox.says('O', utf8("last")).says('Z', "signal", "9", "killed", "1");
            });
    answer.start();
    StepReport report = run(sandbox, PATIENT, 1);

    assertThat(report.end().killedBy()).isEqualTo(KilledBy.TIME_LIMIT);
    assertThat(report.end().signal()).isEqualTo(9);
    assertThat(report.output().stdout()).isEqualTo("last");
    assertThat(sandbox.isDestroyed()).isFalse();
  }

  @Test
  void timeLimitWithoutAnAnswer_destroysTheSandbox() throws Exception {
    sandbox.says('A').says('O', utf8("until here"));
    RunnerTimeouts timeouts = new RunnerTimeouts(NEVER_MS, NEVER_MS, NEVER_MS, NEVER_MS, 1);
    StepReport report = run(sandbox, timeouts, 1);

    assertThat(report.end().killedBy()).isEqualTo(KilledBy.TIME_LIMIT);
    assertThat(report.end().lost()).isNull();
    assertThat(report.output().stdout()).isEqualTo("until here");
    assertThat(sandbox.isDestroyed()).isTrue();
  }

  @Test
  void stepThatEndedByItselfAtTheLimit_wasNotKilled() throws Exception {
    sandbox.says('A');
    Thread answer =
        new Thread(
            () -> {
              Awaitility.await().until(() -> sandbox.wasTold('K'));
              sandbox.says('V', "ending", "completed").says('Z', "exitCode", "0", "killed", "0");
            });
    answer.start();

    assertThat(run(sandbox, PATIENT, 1).end().killedBy()).isEqualTo(KilledBy.NONE);
  }

  @Test
  void savingWithoutEnd_keepsTheVerdictAndLosesTheState() throws Exception {
    sandbox.says('A').says('V', "ending", "completed").says('M', utf8("half"));
    StepReport report = run(new RunnerTimeouts(NEVER_MS, NEVER_MS, NEVER_MS, 1, 1));

    assertThat(report.end().killedBy()).isEqualTo(KilledBy.SAVE_LIMIT);
    assertThat(report.verdict()).isNotNull();
    assertThat(report.state().saved()).isFalse();
  }

  @Test
  void randomFrames_alwaysEndTyped() throws Exception {
    Random random = new Random(SEED);
    char[] types = {'A', 'O', 'E', 'G', 'V', 'N', 'T', 'M', 'S', 'C', 'W', 'Z'};
    for (int round = 0; round < 500; round++) {
      ScriptedSandbox other = new ScriptedSandbox().says('A');
      for (int i = random.nextInt(6); i >= 0; i--) {
        byte[] payload = new byte[random.nextInt(40)];
        random.nextBytes(payload);
        other.says(types[random.nextInt(types.length)], payload);
      }
      StepReport report = run(other.ends(), PATIENT);
      assertThat(report.started()).isTrue();
      assertThat(report.end().lost()).isNotNull();
    }
  }

  private StepReport run(RunnerTimeouts timeouts) throws Exception {
    return run(sandbox, timeouts);
  }

  private StepReport run(ScriptedSandbox in, RunnerTimeouts timeouts) throws Exception {
    return run(in, timeouts, NEVER_MS);
  }

  private StepReport run(ScriptedSandbox in, RunnerTimeouts timeouts, long wallTimeMs)
      throws Exception {
    StepLimits.Bounds limits = new StepLimits.Bounds(wallTimeMs, 0, 1000, 2000);
    StepTask task =
        new StepTask(
            StepKind.PYTHON,
            1,
            "1",
            List.of(),
            new byte[0],
            Map.of(),
            limits,
            new StateFixture().state());
    return new ReadyRunner(in, new FrameChannel(in), watchdog, timeouts, false)
        .run(task, starts::incrementAndGet);
  }

  /** A display in one part. */
  private static byte[] shown(String text) {
    byte[] fields = new Fields.Writer().add("text", text).add("type", "t").payload();
    byte[] part = new byte[fields.length + 1];
    part[0] = 3;
    System.arraycopy(fields, 0, part, 1, fields.length);
    return part;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
