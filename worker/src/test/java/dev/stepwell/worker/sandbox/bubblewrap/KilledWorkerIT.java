package dev.stepwell.worker.sandbox.bubblewrap;

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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What stays of a worker that was killed, and of one that isn't root. */
@Timeout(120)
final class KilledWorkerIT {
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

  @TempDir private Path folder;

  @BeforeAll
  static void skipWithoutBubblewrap() {
    Availability found = BubblewrapBackend.probe(BubblewrapSettings.defaults());
    System.out.println("bubblewrap tests: " + found.reason());
    assumeThat(found.usable()).as(found.reason()).isTrue();
  }

  @Test
  void killedWorker_takesItsSandboxesWithIt_andTheRestIsReaped() throws Exception {
    Process worker = WorkerProcess.start(false, folder, "bubblewrap", "", DEAF, marker);
    String id = readUntilDeaf(worker);
    assertThat(running()).isNotEmpty();
    worker.toHandle().destroyForcibly();
    worker.waitFor();
    await().untilAsserted(() -> assertThat(running()).isEmpty());
    assertThat(stateFolders(worker.pid())).as("the worker's, and its sandboxes'").hasSize(2);

    try (BubblewrapBackend backend = BubblewrapBackend.open(BubblewrapSettings.defaults())) {
      assertThat(backend.reap()).isPositive();
      assertThat(backend.reap()).isZero();
    }
    assertThat(BubblewrapIT.named(id)).isEmpty();
    assertThat(stateFolders(worker.pid())).isEmpty();
  }

  @Test
  void stillRunningWorker_isNotReaped() throws Exception {
    Process worker = WorkerProcess.start(false, folder, "bubblewrap", "", DEAF, marker);
    try {
      readUntilDeaf(worker);
      try (BubblewrapBackend backend = BubblewrapBackend.open(BubblewrapSettings.defaults())) {
        backend.reap();
      }
      assertThat(running()).isNotEmpty();
      assertThat(stateFolders(worker.pid())).hasSize(2);
    } finally {
      worker.toHandle().destroyForcibly();
      worker.waitFor();
      await().until(() -> running().isEmpty());
      try (BubblewrapBackend backend = BubblewrapBackend.open(BubblewrapSettings.defaults())) {
        backend.reap();
      }
    }
  }

  @Test
  void ordinaryUsersWorker_isolatesAndLimitsToo() throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
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
    Process worker = WorkerProcess.start(true, folder, "bubblewrap", "", code, marker);
    try {
      BufferedReader lines = WorkerProcess.lines(worker);
      assertThat(lines.readLine()).startsWith("sw-");
      assertThat(lines.readLine()).isEqualTo("rlimit");
      assertThat(lines.readLine()).isEqualTo("65534 31 False");
    } finally {
      worker.toHandle().destroyForcibly();
      worker.waitFor();
      await().until(() -> running().isEmpty());
      try (BubblewrapBackend backend = BubblewrapBackend.open(BubblewrapSettings.defaults())) {
        backend.reap();
      }
    }
    assertThat(stateFolders(worker.pid())).isEmpty();
  }

  private static String readUntilDeaf(Process worker) throws IOException {
    BufferedReader lines = WorkerProcess.lines(worker);
    String id = lines.readLine();
    assertThat(lines.readLine()).isIn("cgroup", "rlimit");
    assertThat(lines.readLine()).isEqualTo("deaf");
    return id;
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

  private static List<Path> stateFolders(long pid) throws IOException {
    try (Stream<Path> paths = Files.list(BubblewrapSettings.defaults().stateFolder())) {
      return paths
          .filter(path -> String.valueOf(path.getFileName()).contains("stepwell-" + pid + "-"))
          .toList();
    }
  }
}
