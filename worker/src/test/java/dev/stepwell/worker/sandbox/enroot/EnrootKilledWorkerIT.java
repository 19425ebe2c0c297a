package dev.stepwell.worker.sandbox.enroot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.SandboxId;
import dev.stepwell.worker.sandbox.WorkerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What stays of a worker with enroot that was killed, and of one that isn't root. */
@Timeout(180)
@Execution(ExecutionMode.SAME_THREAD)
final class EnrootKilledWorkerIT {
  private static final String DEAF =
      """
      import os, signal, time
      signal.signal(signal.SIGTERM, signal.SIG_IGN)
      os.fork()
      print('deaf', flush=True)
      while True:
          time.sleep(1000)
      """;

  private final String marker = "killed-" + SandboxId.next();
  private Path folder = Path.of("/nowhere");
  private Path image = Path.of("/nowhere.sqsh");
  private EnrootSettings settings = EnrootSettings.defaults();

  @BeforeEach
  void requireMachinery() throws Exception {
    folder = TestEnroot.openFolder();
    settings = new EnrootSettings(TestEnroot.program(), "nobody", folder, true);
    Availability found = EnrootBackend.probe(settings);
    assumeThat(found.usable()).as(found.reason()).isTrue();
    image = TestEnroot.image(folder);
  }

  @AfterEach
  void noProcessIsLeft() {
    await().untilAsserted(() -> assertThat(running()).isEmpty());
  }

  @Test
  void killedWorker_takesItsSandboxesWithIt_andTheRestIsReaped() throws Exception {
    Process worker = worker(false, folder);
    readUntilDeaf(worker);
    assertThat(running()).isNotEmpty();
    assertThat(folders(worker.pid())).as("the worker's, and its sandboxes'").hasSize(2);
    worker.toHandle().destroyForcibly();
    worker.waitFor();
    await().untilAsserted(() -> assertThat(running()).isEmpty());

    try (EnrootBackend backend = EnrootBackend.open(settings)) {
      assertThat(backend.reap()).isPositive();
      assertThat(backend.reap()).isZero();
    }
    assertThat(folders(worker.pid())).isEmpty();
  }

  @Test
  void stillRunningWorker_isNotReaped() throws Exception {
    Process worker = worker(false, folder);
    try {
      readUntilDeaf(worker);
      try (EnrootBackend backend = EnrootBackend.open(settings)) {
        backend.reap();
      }
      assertThat(running()).isNotEmpty();
      assertThat(folders(worker.pid())).hasSize(2);
    } finally {
      worker.toHandle().destroyForcibly();
      worker.waitFor();
    }
  }

  @Test
  void workerKilledWhileItMakesARoot_leavesNothingThatStays() throws Exception {
    Process worker = worker(false, folder);
    await().until(() -> !folders("data").isEmpty());
    worker.toHandle().destroyForcibly();
    worker.waitFor();

    Process second = worker(false, folder);
    readUntilDeaf(second);
    second.toHandle().destroyForcibly();
    second.waitFor();
    try (Stream<Path> roots = Files.list(folders("data").get(0))) {
      assertThat(roots).hasSize(1);
    }
  }

  @Test
  void ordinaryUsersWorker_isolatesAndLimitsToo() throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    Path own = Files.createDirectory(folder.resolve("own"));
    Files.setAttribute(own, "unix:uid", 65534);
    String code =
        """
        import os, time
        count = 0
        try:
            while count < 500:
                if os.fork() == 0:
                    time.sleep(1000)
                count += 1
        except OSError:
            pass
        print(os.getuid(), count, os.access('/usr', os.W_OK), flush=True)
        time.sleep(1000)
        """;
    Process worker = worker(true, own, code);
    try {
      BufferedReader lines = WorkerProcess.lines(worker);
      assertThat(lines.readLine()).startsWith("sw-");
      assertThat(lines.readLine()).isEqualTo("rlimit");
      assertThat(lines.readLine()).isEqualTo("65534 31 False");
    } finally {
      worker.toHandle().destroyForcibly();
      worker.waitFor();
    }
  }

  private Process worker(boolean asNobody, Path scratch) throws Exception {
    return worker(asNobody, scratch, DEAF);
  }

  private Process worker(boolean asNobody, Path scratch, String code) throws Exception {
    String backend = "enroot:" + settings.enroot() + ":" + scratch;
    return WorkerProcess.start(asNobody, folder, backend, image.toString(), code, marker);
  }

  private static void readUntilDeaf(Process worker) throws IOException {
    BufferedReader lines = WorkerProcess.lines(worker);
    assertThat(lines.readLine()).startsWith("sw-");
    assertThat(lines.readLine()).isIn("cgroup", "rlimit");
    assertThat(lines.readLine()).isEqualTo("deaf");
  }

  private List<Path> running() throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(path -> path.toString().matches("/proc/\\d+"))
          .filter(path -> isMarked(path.resolve("cmdline")))
          .toList();
    }
  }

  private boolean isMarked(Path commandLine) {
    try {
      String line = Files.readString(commandLine);
      return line.contains(marker) && !line.contains(WorkerProcess.class.getName());
    } catch (IOException gone) {
      return false;
    }
  }

  private List<Path> folders(long pid) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .filter(path -> String.valueOf(path.getFileName()).contains("stepwell-" + pid + "-"))
          .toList();
    }
  }

  /** Where container roots are, once there is one. */
  private List<Path> folders(String name) throws IOException {
    try (Stream<Path> paths = Files.find(folder, 3, (path, a) -> path.endsWith(name))) {
      List<Path> found = paths.toList();
      for (Path data : found) {
        try (Stream<Path> roots = Files.list(data)) {
          if (roots.findAny().isEmpty()) {
            return List.of();
          }
        }
      }
      return found;
    }
  }
}
