package dev.stepwell.worker.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.Container;
import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.IsolationContract;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.WorkerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Docker, with the engine that DOCKER_HOST names. */
final class DockerIT extends IsolationContract {
  private static final DockerSettings SETTINGS = DockerSettings.defaults("contract");
  private static final String IMAGE =
      Optional.ofNullable(System.getProperty("STEPWELL_TEST_IMAGE"))
          .or(() -> Optional.ofNullable(System.getenv("STEPWELL_TEST_IMAGE")))
          .orElse("stepwell/plain:latest");

  private static final Engine ENGINE = new Engine(SETTINGS);

  @Override
  protected void requireMachinery() throws Exception {
    Availability found = DockerBackend.probe(SETTINGS);
    System.out.println("docker tests: " + found.reason());
    assumeThat(found.usable()).as(found.reason()).isTrue();
    boolean image =
        ENGINE.ask("find an image", client -> client.inspectImageCmd(IMAGE).exec()).isPresent();
    System.out.println("docker tests: image " + IMAGE + (image ? "" : " is missing"));
    assumeThat(image).as("image " + IMAGE + "; name another in STEPWELL_TEST_IMAGE").isTrue();
  }

  @AfterAll
  static void closeEngine() throws Exception {
    ENGINE.close();
  }

  @Override
  protected SandboxBackend open() throws Exception {
    return DockerBackend.connect(SETTINGS);
  }

  @Override
  protected String python() {
    return "/usr/bin/python3";
  }

  @Override
  protected String image() {
    return IMAGE;
  }

  @Override
  protected boolean countsRefusals() {
    return false;
  }

  @Override
  protected List<String> leftovers(String id) throws Exception {
    return containers().stream()
        .map(container -> container.getNames()[0])
        .filter(name -> name.contains(id))
        .toList();
  }

  private static List<Container> containers() throws Exception {
    return ENGINE
        .ask("list", client -> client.listContainersCmd().withShowAll(true).exec())
        .orElseThrow();
  }

  @Test
  void image_thatIsMissing_isNamed_withTheWayToGetIt() {
    Profile usual = profile(LIMITS);
    Profile missing =
        new Profile(
            "science",
            "stepwell/nowhere:1",
            null,
            usual.python(),
            List.of(),
            usual.environment(),
            LIMITS,
            usual.stepLimits());
    assertThatThrownBy(() -> backend.create(missing, List.of("/bin/true")))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("stepwell/nowhere:1")
        .hasMessageContaining("bin/stepwell images build science");
  }

  @Test
  void program_thatIsMissing_isNamed_andLeavesNothing() throws Exception {
    assertThatThrownBy(() -> backend.create(profile(LIMITS), List.of("/usr/bin/python9")))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("/usr/bin/python9");
    assertThat(containers()).isEmpty();
  }

  @Test
  void connect_whereNobodyAnswers_saysWhereAndWhatToDo() {
    DockerSettings nowhere =
        new DockerSettings(
            "contract",
            URI.create("unix:///nowhere.sock"),
            Duration.ofSeconds(5),
            Duration.ZERO,
            SETTINGS.scratchFolder());
    assertThatThrownBy(() -> DockerBackend.connect(nowhere))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("unix:///nowhere.sock")
        .hasMessageContaining("DOCKER_HOST");
    assertThat(DockerBackend.probe(nowhere).usable()).isFalse();
  }

  @Test
  void killedWorker_endsItsSandboxesInput_andTheRestIsReaped(@TempDir Path folder)
      throws Exception {
    String code = "import sys; print('waiting', flush=True); sys.stdin.read()";
    Process worker = WorkerProcess.start(false, folder, "docker", IMAGE, code, "killed");
    String id = "";
    try {
      BufferedReader lines = WorkerProcess.lines(worker);
      id = lines.readLine();
      assertThat(lines.readLine()).isEqualTo("cgroup");
      assertThat(lines.readLine()).isEqualTo("waiting");
      backend.reap();
      assertThat(leftovers(id)).hasSize(1);
    } finally {
      worker.toHandle().destroyForcibly();
      worker.waitFor();
    }
    assertThat(foldersOf(worker)).hasSize(1);
    backend.reap();
    assertThat(foldersOf(worker)).isEmpty();
    Instant later = Instant.now().plus(Duration.ofMinutes(5));
    await().until(() -> new Reaper(ENGINE, later).reap(Set.of()) == 1);
    assertThat(leftovers(id)).isEmpty();
  }

  private static List<Path> foldersOf(Process worker) throws IOException {
    try (Stream<Path> paths = Files.list(SETTINGS.scratchFolder())) {
      String mark = "stepwell-" + worker.pid() + "-";
      return paths.filter(path -> path.toString().contains(mark)).toList();
    }
  }

  @Test
  void reap_removesWhatIsPastItsLifetime_andSparesTheRest() throws Exception {
    Sandbox kept = start("input()");
    DockerSettings brief =
        new DockerSettings(
            "gone", null, Duration.ofMinutes(1), Duration.ofSeconds(-10), SETTINGS.scratchFolder());
    try (DockerBackend other = DockerBackend.connect(brief)) {
      Sandbox forgotten = other.create(profile(LIMITS), List.of(python(), "-c", "input()"));
      assertThat(other.reap()).as("its own").isZero();
      assertThat(backend.reap()).isEqualTo(1);
      assertThat(leftovers(forgotten.id())).isEmpty();
    }
    assertThat(leftovers(kept.id())).hasSize(1);
  }

  @Test
  void reap_removesWhatEndedAWhileAgo() throws Exception {
    Sandbox ended = start("pass");
    ended.output().readAllBytes();
    assertThat(new Reaper(ENGINE, Instant.now()).reap(Set.of())).isZero();
    Instant later = Instant.now().plus(Duration.ofMinutes(5));
    assertThat(new Reaper(ENGINE, later).reap(Set.of(ended.id()))).isZero();
    // The stream ends a moment before the engine calls the container ended.
    await().until(() -> new Reaper(ENGINE, later).reap(Set.of()) == 1);
    assertThat(leftovers(ended.id())).isEmpty();
  }

  @Override
  protected boolean measuresTimeAndMemory() {
    return false;
  }
}
