package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Value;
import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** State on its way into real sandboxes of a backend and out of them again. */
@Timeout(120) // Ends a test that hangs; nothing here depends on it.
abstract class StateInSandbox {
  private static final StepLimits.Bounds LIMITS =
      new StepLimits.Bounds(60_000, 1L << 30, 1 << 20, 64 << 20);
  private static final long SEED = 20_261_120;

  private SandboxBackend backend;
  private RunnerBoot boot;

  /** Opens the backend; skips the tests, and says why, where it can't be used. */
  abstract SandboxBackend open() throws Exception;

  abstract String image();

  @BeforeEach
  void start() throws Exception {
    backend = open();
    boot = new RunnerBoot(backend, RunnerTimeouts.DEFAULTS);
  }

  @AfterEach
  void stop() {
    if (boot != null) {
      boot.close();
    }
    if (backend != null) {
      backend.close();
    }
  }

  @Test
  void variables_comeByTheFolderOfPieces() throws Exception {
    StateFixture none = new StateFixture();
    StepReport first = python("import random\nx = random.Random(1).randbytes(3_000_000)", none);
    assertThat(none.variablePieces.taken()).hasSizeGreaterThan(3);
    StateFixture left = StateFixture.after(none, first.state());
    StepReport second = python("import random\nx == random.Random(1).randbytes(3_000_000)", left);

    assertThat(value(second)).isEqualTo("True");
    assertThat(left.variablePieces.placed()).isNotEmpty();
    assertThat(left.variablePieces.read()).isEmpty();
  }

  @Test
  void pieceThatIsGoneWhileTheStepRuns_isReported() throws Exception {
    StateFixture none = new StateFixture();
    StepReport first = python("import random\nx = random.Random(1).randbytes(3_000_000)", none);
    StateFixture left = StateFixture.after(none, first.state());
    for (int i = 0; i < left.variablePieces.table().size(); i++) {
      left.variablePieces.lose(i);
    }

    StepReport second = python("len(x)", left);

    assertThat(second.started()).isTrue();
    assertThat(second.stateGone()).contains("has expired");
  }

  @Test
  void displays_comeOutInTheirOrder_howeverLarge() throws Exception {
    StepReport report =
        python(
            """
            from stepwell_step import display
            display(mime={'a/b': 'x' * 3_000_000})
            display('small')
            raise SystemExit(3)
            """,
            new StateFixture());

    assertThat(report.end().exitCode()).isEqualTo(3);
    assertThat(report.displays())
        .containsExactly(
            new Value("", "", Map.of("a/b", "x".repeat(3_000_000))),
            new Value("'small'", "builtins.str", Map.of()));
  }

  @Test
  void files_areMadeFromTheFolderOfPieces() throws Exception {
    byte[] large = random(1_300_000);
    StateFixture state =
        new StateFixture()
            .folder("in")
            .file("in/large", large)
            .file("in/empty", new byte[0])
            .link("in/way", "large")
            .reportsFiles();
    StepReport report =
        python(
            """
            import hashlib, os
            s = os.stat('in/large')
            (hashlib.sha256(open('in/way', 'rb').read()).hexdigest(), s.st_mode & 0o777,
             s.st_mtime_ns, os.stat('in').st_mtime_ns, os.path.getsize('in/empty'))
            """,
            state);

    assertThat(value(report))
        .isEqualTo(
            "('%s', 420, 1600000000000000001, 1700000000123456789, 0)".formatted(sha256(large)));
    assertThat(state.filePieces.placed()).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(state.filePieces.read()).isEmpty();
    assertThat(report.files()).isEqualTo(new StepReport.Files(List.of(), 0, null));
  }

  @Test
  void changes_areToldWithTheirContent() throws Exception {
    StateFixture state =
        new StateFixture()
            .folder("a")
            .file("a/goes", utf8("x"))
            .file("a/stays", utf8("y"))
            .reportsFiles();
    StepReport report =
        python(
            """
            import os
            os.unlink('a/goes')
            open('new', 'wb').write(b'1' * 600_000)
            os.mkfifo('pipe')
            os.symlink('/etc/passwd', 'out')
            """,
            state);

    StepReport.Files files = Objects.requireNonNull(report.files());
    Map<String, FileEntry> told = new TreeMap<>();
    files.changes().forEach(entry -> told.put(entry.path(), entry));
    assertThat(told).containsOnlyKeys("a", "a/goes", "new", "out", "pipe");
    assertThat(told.get("a")).isInstanceOf(FileEntry.Folder.class);
    assertThat(told.get("a/goes")).isEqualTo(new FileEntry.Removed("a/goes"));
    assertThat(told.get("out")).isEqualTo(new FileEntry.Link("out", "/etc/passwd"));
    assertThat(told.get("pipe"))
        .isInstanceOfSatisfying(
            FileEntry.Refused.class, refused -> assertThat(refused.type()).isEqualTo("fifo"));
    assertThat(files.refused()).isEqualTo(1);
    assertThat(told.get("new"))
        .isInstanceOfSatisfying(
            FileEntry.Plain.class,
            file -> {
              assertThat(file.bytes()).isEqualTo(600_000);
              assertThat(file.pieces()).containsExactly(0, 1);
            });
    byte[] content = new byte[600_000];
    Arrays.fill(content, (byte) '1');
    assertThat(state.filePieces.joined()).isEqualTo(content);
  }

  @Test
  void writingThroughAMapping_isTold_andOpeningForWritingIsNot() throws Exception {
    StateFixture state =
        new StateFixture()
            .folder("a")
            .file("a/mapped", new byte[600_000])
            .file("a/opened", new byte[600_000])
            .reportsFiles();
    StepReport report =
        python(
            """
            import mmap
            with open('a/mapped', 'r+b') as f:
                mmap.mmap(f.fileno(), 0)[599_999] = 7
            open('a/opened', 'r+b').close()
            """,
            state);

    assertThat(Objects.requireNonNull(report.files()).changes())
        .singleElement()
        .satisfies(entry -> assertThat(entry.path()).isEqualTo("a/mapped"));
    assertThat(state.filePieces.joined()).hasSize(600_000).endsWith(7);
  }

  @Test
  void programs_haveTheSameFiles() throws Exception {
    StateFixture state = new StateFixture().file("in", utf8("line\n")).reportsFiles();
    StepReport report = run(StepKind.SHELL, "cat in; echo more > out; exit 3", state);

    assertThat(report.output().stdout()).isEqualTo("line\n");
    assertThat(report.end().exitCode()).isEqualTo(3);
    assertThat(Objects.requireNonNull(report.files()).changes())
        .singleElement()
        .satisfies(entry -> assertThat(entry.path()).isEqualTo("out"));
    assertThat(state.filePieces.joined()).isEqualTo(utf8("more\n"));
  }

  @Test
  void stepThatDies_tellsNothing() throws Exception {
    StateFixture state = new StateFixture().reportsFiles();
    StepReport report =
        python("open('new', 'w').close()\nimport os\nos.kill(os.getpid(), 11)", state);

    assertThat(report.end().signal()).isEqualTo(11);
    assertThat(report.files()).isNull();
  }

  @Test
  void contentThatCantBeKept_costsTheFilesAlone() throws Exception {
    StateFixture state = new StateFixture().reportsFiles();
    state.filePieces.fill("the disk is full");
    StepReport report = python("open('new', 'w').write('x')\n5", state);

    assertThat(value(report)).isEqualTo("5");
    assertThat(report.end().killedBy()).isEqualTo(KilledBy.NONE);
    assertThat(Objects.requireNonNull(report.files()).failed()).contains("the disk is full");
    assertThat(report.state().saved()).isTrue();
  }

  private StepReport python(String source, StateFixture state) throws Exception {
    return run(StepKind.PYTHON, source, state);
  }

  private StepReport run(StepKind kind, String source, StateFixture state) throws Exception {
    ReadyRunner runner = boot.start(profile());
    try {
      return runner.run(
          new StepTask(kind, 1, source, List.of(), new byte[0], Map.of(), LIMITS, state.state()),
          () -> {});
    } finally {
      runner.destroy();
    }
  }

  private static String value(StepReport report) {
    StepReport.Verdict verdict = Objects.requireNonNull(report.verdict());
    return Objects.requireNonNull(verdict.value(), () -> String.valueOf(verdict)).text();
  }

  /** The profile as the backend needs it. */
  Profile adapted(Profile profile) {
    return profile;
  }

  private Profile profile() {
    return adapted(usual());
  }

  private Profile usual() {
    return new Profile(
        "default",
        image(),
        null,
        "/usr/bin/python3",
        List.of(),
        Map.of(),
        new SandboxLimits(1L << 30, 64, 2000, 64L << 20),
        new StepLimits(LIMITS, LIMITS));
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(SEED).nextBytes(bytes);
    return bytes;
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
