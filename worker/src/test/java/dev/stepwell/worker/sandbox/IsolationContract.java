package dev.stepwell.worker.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every backend that isolates does besides: what hostile code in a sandbox finds. */
public abstract class IsolationContract extends BackendContract {
  /** Prints what of the root it could write to. */
  protected static final String READ_ONLY_PROBE = Probes.READ_ONLY;

  @Override
  @Test
  void workingFolder_isWritableAndEmpty() throws Exception {
    super.workingFolder_isWritableAndEmpty();
    assertThat(run("import os; print(os.getcwd())")).isEqualTo("/workspace\n");
  }

  @Test
  void network_isAbsent_butLoopbackWorks() throws Exception {
    try (ServerSocket host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run(Probes.NETWORK, Integer.toString(host.getLocalPort()))).isEqualTo("closed\n");
    }
  }

  @Test
  void root_isReadOnly() throws Exception {
    assertThat(run(Probes.READ_ONLY)).isEqualTo("[]\n");
  }

  @Test
  void folders_areBounded() throws Exception {
    assertThat(run(Probes.FILL, Long.toString(LIMITS.diskBytes()))).isEqualTo("bounded\n");
  }

  @Test
  void folders_areFreshInEverySandbox() throws Exception {
    String leave =
        """
        for folder in ('/tmp', '/workspace', '/dev/shm'):
            open(folder + '/left', 'w').write('x')
        print('left')
        """;
    String look =
        """
        import os
        print([os.listdir(f) for f in ('/tmp', '/workspace', '/dev/shm')])
        """;
    assertThat(run(leave)).isEqualTo("left\n");
    assertThat(run(look)).isEqualTo("[[], [], []]\n");
  }

  @Test
  void hostFiles_areOutOfSight() throws Exception {
    Path secret = Files.createTempFile("stepwell-secret", ".txt");
    try {
      Files.writeString(secret, "s3cret");
      assertThat(run(Probes.HOST_FILES, secret.toString())).isEqualTo("[]\n");
    } finally {
      Files.delete(secret);
    }
  }

  @Test
  void mounts_areReadAndChangedByNobodyInside(@TempDir Path folder) throws Exception {
    Path beside = Files.writeString(passable(folder).resolve("beside"), "s3cret");
    Path genes = dataFolder(folder.resolve("genes"), "genes");
    Path maps = dataFolder(folder.resolve("maps"), "maps");
    Profile profile = mounting(Map.of("genes", genes, "maps-2", maps));

    assertThat(allOutput(start(profile, Probes.MOUNTS, beside.toString())))
        .isEqualTo("['genes', 'maps-2'] ['genes', 'maps']\n[]\n[]\n");
    assertThat(genes.resolve("open/file")).hasContent("genes");
    assertThat(genes.resolve("open")).isDirectoryNotContaining("glob:**new*");
    assertThat(run("import os; print(os.path.exists('/data/genes'))")).isEqualTo("False\n");
  }

  @Test
  void mounts_giveNoPrivileges(@TempDir Path folder) throws Exception {
    Path data = dataFolder(passable(folder).resolve("data"), "data");
    if (!Files.getAttribute(data, "unix:uid").equals(0)) {
      return; // Only root can make what must have no effect.
    }
    Path program = Files.copy(Path.of("/usr/bin/id").toRealPath(), data.resolve("id"));
    Files.setAttribute(program, "unix:mode", 0104755);
    Process device = new ProcessBuilder("mknod", "-m", "666", data + "/mem", "c", "1", "1").start();
    assertThat(device.waitFor()).isZero();

    assertThat(allOutput(start(mounting(Map.of("data", data)), Probes.MOUNTED_PRIVILEGES)))
        .isEqualTo("65534\nno device\n");
  }

  @Test
  void mount_thatIsGone_isNamed(@TempDir Path folder) throws Exception {
    Path genes = dataFolder(passable(folder).resolve("genes"), "genes");
    Profile profile = mounting(Map.of("genes", genes));
    assertThat(allOutput(start(profile, "print(open('/data/genes/open/file').read())")))
        .isEqualTo("genes\n");
    Files.move(genes, folder.resolve("elsewhere"));
    assertThatThrownBy(() -> start(profile, "pass"))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("mounts genes")
        .hasMessageContaining(genes.toString())
        .hasMessageContaining("mount.genes");
    assertThat(processes()).isEmpty();
  }

  private static Path passable(Path folder) throws Exception {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A folder that its own modes would let anybody change. */
  private static Path dataFolder(Path folder, String content) throws Exception {
    Path open = Files.createDirectories(folder.resolve("open"));
    Path file = Files.writeString(open.resolve("file"), content);
    for (Path each : List.of(folder, open, file)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    return folder;
  }

  @Test
  void pieceFolder_isReadByItsSandbox_andChangedByNobodyInside() throws Exception {
    Sandbox sandbox = start(Probes.PIECES);
    BufferedReader lines = lines(sandbox);
    assertThat(lines.readLine()).isEqualTo("here");
    Path folder = Objects.requireNonNull(sandbox.pieceFolder());
    Path kept = Files.createFile(folder.resolveSibling("kept"));
    try {
      Files.writeString(kept, "piece".repeat(2000));
      Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("r--r--r--"));
      Files.createLink(folder.resolve("extent"), kept);
      sandbox.input().write("extent\n".getBytes(UTF_8));
      sandbox.input().flush();
      assertThat(lines.readLine()).isEqualTo("10000 ['here', 'extent']");
      assertThat(lines.readLine()).isEqualTo("[]");
      assertThat(kept).hasContent("piece".repeat(2000));
      sandbox.destroy();
      assertThat(folder).doesNotExist();
      assertThat(kept).exists();
    } finally {
      Files.delete(kept);
    }
  }

  @Test
  void pieceFolders_areOneForEachSandbox() throws Exception {
    Sandbox sandbox = start("import os; input(); print(os.path.exists('/run/stepwell/extent'))");
    Path others = Objects.requireNonNull(start("input()").pieceFolder());
    assertThat(others).isNotEqualTo(sandbox.pieceFolder());
    Files.writeString(others.resolve("extent"), "other");
    sandbox.input().write('\n');
    sandbox.input().flush();
    assertThat(lines(sandbox).readLine()).isEqualTo("False");
  }

  @Test
  void privileges_areNone() throws Exception {
    assertThat(run(Probes.PRIVILEGES)).isEqualTo("none\n");
  }

  @Test
  void sandbox_isAnOrdinaryUsersProcess_seenFromOutside() throws Exception {
    Sandbox sandbox = start("import time; print(1, flush=True); time.sleep(1000)");
    assertThat(lines(sandbox).readLine()).isEqualTo("1");
    for (String folder : processes()) {
      Object uid = Files.getAttribute(Path.of(folder), "unix:uid");
      assertThat(uid).isNotEqualTo(0);
    }
  }

  @Test
  void otherProcesses_areOutOfSight() throws Exception {
    Sandbox other = start("import time; print(1, flush=True); time.sleep(1000)");
    assertThat(lines(other).readLine()).isEqualTo("1");
    assertThat(run("import os; print([p for p in os.listdir('/proc') if p.isdigit()])"))
        .isEqualTo("['1']\n");
  }

  @Test
  void signals_reachOnlyTheSandboxItself() throws Exception {
    Sandbox other = start("print(input(), flush=True)");
    Sandbox sandbox =
        start(
            """
            import os, signal
            if os.fork() == 0:
                for target in (1, -1, os.getppid()):
                    try:
                        os.kill(target, signal.SIGKILL)
                    except OSError:
                        pass
                os._exit(0)
            os.wait()
            print('first process lives', flush=True)
            """);
    assertThat(allOutput(sandbox)).isEqualTo("first process lives\n");
    other.input().write("other lives\n".getBytes(UTF_8));
    other.input().flush();
    assertThat(lines(other).readLine()).isEqualTo("other lives");
  }

  @Test
  void descriptors_areTheStandardOnes() throws Exception {
    // Listing opens one more, which is gone when its name is looked up.
    assertThat(
            run(
                """
                import os
                print(sorted(f for f in os.listdir('/proc/self/fd')
                             if os.path.exists(f'/proc/self/fd/{f}') or int(f) < 3))
                """))
        .isEqualTo("['0', '1', '2']\n");
  }

  @Test
  void dangerousCalls_areRefused_andTheCallerLives() throws Exception {
    assertThat(run(Probes.DANGEROUS_CALLS)).isEqualTo("[]\n");
  }

  @Test
  void ordinaryPrograms_work() throws Exception {
    assertThat(run(Probes.ORDINARY)).isEqualTo("fine\n");
  }

  @Test
  void scientificLibraries_work_whereInstalled() throws Exception {
    assertThat(run(Probes.SCIENTIFIC)).isIn("fine\n", "not installed\n");
  }

  @Test
  void sharedMemory_isNotSharedBetweenSandboxes() throws Exception {
    Sandbox sandbox = start(Probes.SHARED_MEMORY_OWNER);
    assertThat(lines(sandbox).readLine()).isEqualTo("made");
    assertThat(run(Probes.SHARED_MEMORY_SEEKER)).isEqualTo("[]\n");
  }

  @Test
  void processes_areLimited() throws Exception {
    Sandbox sandbox = start(Probes.FORK_BOMB);
    String[] counts = lines(sandbox).readLine().split(" ", -1);
    assertThat(Integer.parseInt(counts[0])).isEqualTo(LIMITS.processes() - 1);
    assertThat(counts[1]).isEqualTo("BlockingIOError");
    assertThat(processes()).hasSizeLessThanOrEqualTo(LIMITS.processes() + 3);
    if (countsRefusals()) {
      assertThat(sandbox.usage().processRefusals()).isPositive();
    }
    sandbox.destroy();
    assertThat(processes()).isEmpty();
  }

  /** Whether {@code usage()} can tell of refused processes. */
  protected boolean countsRefusals() {
    return true;
  }

  /** Whether {@code usage()} tells of processor time and of the most memory in use. */
  protected boolean measuresTimeAndMemory() {
    return measures();
  }

  /** Whether {@code usage()} can tell of processes killed for memory. */
  protected boolean measures() {
    return true;
  }

  @Test
  void threads_areLimitedToo() throws Exception {
    assertThat(run(Probes.THREAD_BOMB)).isEqualTo("refused\n");
  }

  @Test
  void forkBombThatNeverStops_isDestroyed() throws Exception {
    Sandbox sandbox =
        start(
            """
            import os
            print('go', flush=True)
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
            """);
    assertThat(lines(sandbox).readLine()).isEqualTo("go");
    await().until(() -> processes().size() > LIMITS.processes() / 2);
    sandbox.destroy();
    assertThat(processes()).isEmpty();
    assertThat(leftovers(sandbox.id())).isEmpty();
  }

  @Test
  void memory_isLimited() throws Exception {
    Sandbox sandbox = start(Probes.MEMORY_BALLOON, Long.toString(LIMITS.memoryBytes() * 2));
    assertThat(lines(sandbox).readLine()).isIn("killed", "MemoryError");
    if (measures()) {
      await().untilAsserted(() -> assertThat(sandbox.usage().memoryKills()).isPositive());
    }
  }

  @Test
  void filesInMemory_countAsMemory() throws Exception {
    if (!measures()) {
      return;
    }
    SandboxLimits limits = new SandboxLimits(32L << 20, 16, 1_000, 64L << 20);
    Sandbox sandbox = start(limits, Probes.FILE_BALLOON);
    assertThat(lines(sandbox).readLine()).isEqualTo("killed");
    await().untilAsserted(() -> assertThat(sandbox.usage().memoryKills()).isPositive());
  }

  @Test
  void usage_isMeasuredFromOutside() throws Exception {
    Sandbox sandbox =
        start(
            """
            import time
            held = b'x' * (32 << 20)
            while time.process_time() < 0.2:
                pass
            print('used', flush=True)
            input()
            """);
    assertThat(lines(sandbox).readLine()).isEqualTo("used");
    SandboxUsage usage = sandbox.usage();
    assertThat(usage.enforcement()).isIn("cgroup", "rlimit");
    assertThat(usage.memoryKills()).isZero();
    if (measuresTimeAndMemory()) {
      assertThat(usage.cpuMs()).isBetween(200.0, 20_000.0);
      assertThat(usage.peakMemoryBytes()).isBetween(32L << 20, LIMITS.memoryBytes());
    }
    sandbox.destroy();
    assertThat(sandbox.usage().cpuMs() == null).isEqualTo(usage.cpuMs() == null);
  }

  @Test
  void orphans_areReaped() throws Exception {
    List<String> output =
        Arrays.asList(
            run("""
                    import os, time
                    for _ in range(20):
                        if os.fork() == 0:
                            if os.fork() == 0:
                                os._exit(0)
                            os._exit(0)
                        os.wait()
                    print('orphaned')
                    """)
                .split("\n", -1));
    assertThat(output).first().isEqualTo("orphaned");
    assertThat(processes()).isEmpty();
  }
}
