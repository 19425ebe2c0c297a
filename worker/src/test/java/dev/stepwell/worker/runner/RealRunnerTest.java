package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Value;
import dev.stepwell.worker.runner.StepReport.Ending;
import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.runner.StepReport.Limit;
import dev.stepwell.worker.runner.StepReport.Verdict;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real runner, as a process of this machine, from the worker's side. */
@Timeout(120) // Ends a test that hangs; nothing here depends on it.
class RealRunnerTest {
  private static final long WALL_TIME_MS = 60_000;
  private static final StepLimits.Bounds LIMITS =
      new StepLimits.Bounds(WALL_TIME_MS, 1L << 30, 1 << 20, 64 << 20);

  @TempDir Path folder = Path.of("");
  private LocalProcesses backend = new LocalProcesses(folder);
  private RunnerBoot boot = new RunnerBoot(backend, RunnerTimeouts.DEFAULTS);

  @BeforeAll
  static void needsPython() {
    Python.assumePresent();
  }

  @BeforeEach
  void startBackend() {
    backend = new LocalProcesses(folder);
    boot = new RunnerBoot(backend, RunnerTimeouts.DEFAULTS);
  }

  @AfterEach
  void stopBackend() {
    boot.close();
  }

  @Test
  void step_tellsOutputAndValue() throws Exception {
    StepReport report = run("import sys\nprint('héllo'); print('err', file=sys.stderr)\n6 * 7");

    assertThat(report.started()).isTrue();
    assertThat(report.output().stdout()).isEqualTo("héllo\n");
    assertThat(report.output().stderr()).isEqualTo("err\n");
    assertThat(verdict(report).ending()).isEqualTo(Ending.COMPLETED);
    assertThat(verdict(report).value()).isEqualTo(new Value("42", "builtins.int", Map.of()));
    assertThat(report.end().exitCode()).isEqualTo(0);
    assertThat(report.end().killedBy()).isEqualTo(KilledBy.NONE);
    assertThat(report.end().lost()).isNull();
    assertThat(report.measures().cpuMs()).isPositive();
  }

  @Test
  void exception_isToldWithTheUsersLinesAlone() throws Exception {
    StepReport report = run("def f():\n    raise ValueError('no')\nf()");

    var exception = Objects.requireNonNull(verdict(report).exception());
    assertThat(exception.name()).isEqualTo("ValueError");
    assertThat(exception.message()).isEqualTo("no");
    assertThat(exception.line()).isEqualTo(2);
    assertThat(exception.traceback())
        .isEqualTo(
            """
            Traceback (most recent call last):
              File "/session/step-1.py", line 3, in <module>
                f()
              File "/session/step-1.py", line 2, in f
                raise ValueError('no')
            ValueError: no
            """);
  }

  @Test
  void exit_isToldAndKeepsState() throws Exception {
    StepReport report = run("x = 1\nimport sys\nsys.exit(3)");

    assertThat(verdict(report).ending()).isEqualTo(Ending.EXIT);
    assertThat(report.end().exitCode()).isEqualTo(3);
    assertThat(report.state().saved()).isTrue();
  }

  @Test
  void signal_isToldWithoutAVerdict() throws Exception {
    StepReport report = run("import os\nprint('here')\nos.kill(os.getpid(), 11)");

    assertThat(report.verdict()).isNull();
    assertThat(report.end().signal()).isEqualTo(11);
    assertThat(report.end().exitCode()).isNull();
    assertThat(report.output().stdout()).isEqualTo("here\n");
    assertThat(report.state().saved()).isFalse();
  }

  @Test
  void timeLimit_keepsTheOutputUntilThen() throws Exception {
    StepLimits.Bounds limits =
        new StepLimits.Bounds(300, LIMITS.memoryBytes(), 1 << 20, LIMITS.stateBytes());
    StepReport report =
        run(
            task(
                "print('begun')\nwhile True: pass",
                new StateFixture(),
                limits,
                StepKind.PYTHON,
                List.of()));

    assertThat(report.output().stdout()).isEqualTo("begun\n");
    assertThat(report.end().killedBy()).isEqualTo(KilledBy.TIME_LIMIT);
    assertThat(report.end().signal()).isEqualTo(9);
    assertThat(report.end().lost()).isNull();
  }

  @Test
  void state_isCarriedFromSandboxToSandbox() throws Exception {
    StateFixture none = new StateFixture();
    StepReport first = run("count = 1\ndef inc():\n    global count\n    count += 1\ninc()", none);
    StepReport second = run("inc()\ncount", StateFixture.after(none, first.state()));

    assertThat(verdict(second).value()).isEqualTo(new Value("3", "builtins.int", Map.of()));
    assertThat(second.state().kept()).isEqualTo(2);
  }

  @Test
  void piecesOfState_areSentWhereThereIsNoFolderForThem() throws Exception {
    StateFixture none = new StateFixture();
    StepReport first = run("import random\nx = random.Random(1).randbytes(2_000_000)", none);
    StateFixture left = StateFixture.after(none, first.state());
    StepReport second = run("import random\nx == random.Random(1).randbytes(2_000_000)", left);

    assertThat(verdict(second).value()).isEqualTo(new Value("True", "builtins.bool", Map.of()));
    assertThat(left.variablePieces.read()).hasSizeGreaterThan(3);
    assertThat(left.variablePieces.placed()).isEmpty();
  }

  @Test
  void whatCannotBeKept_isNamed() throws Exception {
    StepReport report = run("def f():\n    yield 1\nbox = {'g': f()}");

    assertThat(report.state().lost())
        .containsExactly(
            new LostValue(
                "box",
                "box['g']",
                "builtins.generator",
                "cannot pickle 'generator' object",
                "keep what it yields, as a list"));
  }

  @Test
  void unreadableSnapshot_isReportedBeforeAnyCodeRuns() throws Exception {
    StepReport report = run("print('never')", new StateFixture().body("no snapshot"));

    assertThat(report.started()).isFalse();
    assertThat(verdict(report).restoreError()).isNotNull();
    assertThat(report.output().stdout()).isEmpty();
  }

  @Test
  void memoryLimit_isTold() throws Exception {
    StepLimits.Bounds limits = new StepLimits.Bounds(WALL_TIME_MS, 64 << 20, 1 << 20, 64 << 20);
    StepReport report =
        run(task("x = bytearray(1 << 30)", new StateFixture(), limits, StepKind.PYTHON, List.of()));

    assertThat(verdict(report).limit()).isEqualTo(Limit.MEMORY);
    assertThat(report.state().saved()).isFalse();
  }

  @Test
  void outputBeyondItsLimit_isCountedAndDropped() throws Exception {
    StepLimits.Bounds limits =
        new StepLimits.Bounds(WALL_TIME_MS, LIMITS.memoryBytes(), 1000, LIMITS.stateBytes());
    StepReport report =
        run(task("print('x' * 999_999)", new StateFixture(), limits, StepKind.PYTHON, List.of()));

    assertThat(report.output().stdout()).hasSize(1000);
    assertThat(report.output().stdoutDroppedBytes()).isEqualTo(999_000);
  }

  @Test
  void shellAndArgv_runPrograms() throws Exception {
    StepReport shell =
        run(task("echo $0; exit 4", new StateFixture(), LIMITS, StepKind.SHELL, List.of()));
    StepReport argv =
        run(task("", new StateFixture(), LIMITS, StepKind.ARGV, List.of("/bin/echo", "a b")));
    StepReport missing =
        run(task("", new StateFixture(), LIMITS, StepKind.ARGV, List.of("no-such-program")));

    assertThat(shell.end().exitCode()).isEqualTo(4);
    assertThat(argv.output().stdout()).isEqualTo("a b\n");
    assertThat(missing.end().exitCode()).isEqualTo(127);
    assertThat(missing.output().stderr()).isEqualTo("no-such-program: not found\n");
  }

  @Test
  void kill_fromAnotherThreadEndsTheStep() throws Exception {
    ReadyRunner runner = boot.start(profile(Python.PATH, List.of()));
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> killer =
        CompletableFuture.runAsync(
            () -> {
              await(begun);
              runner.kill();
            });
    try {
      StepReport report = runner.run(task("import time\ntime.sleep(60)"), begun::countDown);

      assertThat(report.end().killedBy()).isEqualTo(KilledBy.CANCEL);
      killer.join();
    } finally {
      runner.destroy();
    }
  }

  @Test
  void killBeforeRun_runsNothing() throws Exception {
    ReadyRunner runner = boot.start(profile(Python.PATH, List.of()));
    runner.kill();
    StepReport report = runner.run(task("print('never')"), () -> {});

    assertThat(report.started()).isFalse();
    assertThat(report.end().killedBy()).isEqualTo(KilledBy.CANCEL);
    runner.destroy();
  }

  @Test
  void alive_tellsTheIdleFromTheDead() throws Exception {
    ReadyRunner runner = boot.start(profile(Python.PATH, List.of()));

    assertThat(runner.alive()).isTrue();
    assertThat(runner.alive()).isTrue();
    runner.destroy();
    assertThat(runner.alive()).isFalse();
  }

  @Test
  void deadRunner_failsBeforeTheStepSoThatAnotherMayTry() throws Exception {
    ReadyRunner runner = boot.start(profile(Python.PATH, List.of()));
    runner.destroy();

    assertThatThrownBy(() -> runner.run(task("1"), () -> {}))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isFalse());
  }

  @Test
  void runner_isCompiledOnceUnderConcurrentStarts() throws Exception {
    Profile profile = profile(Python.PATH, List.of());
    List<CompletableFuture<ReadyRunner>> starts = new ArrayList<>();
    IntStream.range(0, 4)
        .forEach(unused -> starts.add(CompletableFuture.supplyAsync(() -> start(profile))));
    for (CompletableFuture<ReadyRunner> start : starts) {
      start.join().destroy();
    }

    assertThat(backend.created()).isEqualTo(5);
  }

  @Test
  void missingInterpreter_isNamed() {
    assertThatThrownBy(() -> boot.start(profile("/no/such/python", List.of())))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("/no/such/python");
  }

  @Test
  void importThatFailsAhead_isAPermanentFailureOfTheProfile() {
    assertThatThrownBy(() -> boot.start(profile(Python.PATH, List.of("no_such_module"))))
        .isInstanceOfSatisfying(
            SandboxException.class,
            e -> {
              assertThat(e.permanent()).isTrue();
              assertThat(e).hasMessageContaining("no_such_module");
            });
  }

  private StepReport run(String source) throws Exception {
    return run(source, new StateFixture());
  }

  private StepReport run(String source, StateFixture state) throws Exception {
    return run(task(source, state, LIMITS, StepKind.PYTHON, List.of()));
  }

  private StepReport run(StepTask task) throws Exception {
    ReadyRunner runner = boot.start(profile(Python.PATH, List.of()));
    try {
      return runner.run(task, () -> {});
    } finally {
      runner.destroy();
    }
  }

  private ReadyRunner start(Profile profile) {
    try {
      return boot.start(profile);
    } catch (SandboxException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Verdict verdict(StepReport report) {
    return Objects.requireNonNull(report.verdict());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static StepTask task(String source) {
    return task(source, new StateFixture(), LIMITS, StepKind.PYTHON, List.of());
  }

  private static StepTask task(
      String source,
      StateFixture state,
      StepLimits.Bounds limits,
      StepKind kind,
      List<String> argv) {
    return new StepTask(kind, 1, source, argv, new byte[0], Map.of(), limits, state.state());
  }

  private static Profile profile(String python, List<String> imports) {
    return new Profile(
        "default",
        "",
        null,
        python,
        imports,
        Map.of(),
        new SandboxLimits(1L << 30, 64, 1000, 1L << 30),
        new StepLimits(LIMITS, LIMITS));
  }
}
