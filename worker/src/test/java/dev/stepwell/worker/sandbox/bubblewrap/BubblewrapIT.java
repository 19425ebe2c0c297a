package dev.stepwell.worker.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.IsolationContract;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bubblewrap with the best limits that this machine offers. */
class BubblewrapIT extends IsolationContract {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final int CGROUP_DEPTH = 6;

  @Override
  protected void requireMachinery() {
    Availability found = BubblewrapBackend.probe(BubblewrapSettings.defaults());
    System.out.println("bubblewrap tests: " + found.reason());
    assumeThat(found.usable()).as(found.reason()).isTrue();
  }

  @Override
  protected SandboxBackend open() throws Exception {
    return BubblewrapBackend.open(BubblewrapSettings.defaults());
  }

  @Override
  protected String python() {
    return "/usr/bin/python3";
  }

  @Override
  protected boolean countsRefusals() {
    return measures();
  }

  @Override
  protected boolean measures() {
    return backend.description().contains("control groups version");
  }

  @Override
  protected List<String> leftovers(String id) throws IOException {
    return named(id);
  }

  /** Control groups with {@code part} in their names; others may come and go meanwhile. */
  static List<String> named(String part) throws IOException {
    List<String> found = new ArrayList<>();
    if (Files.isDirectory(CGROUPS)) {
      Files.walkFileTree(CGROUPS, Set.of(), CGROUP_DEPTH, new NamedFolders(part, found));
    }
    return found;
  }

  /** Finds folders by their names, and passes over what is gone when it gets there. */
  private static final class NamedFolders extends SimpleFileVisitor<Path> {
    private final String part;
    private final List<String> found;

    NamedFolders(String part, List<String> found) {
      this.part = part;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      if (folder.toString().contains(part)) {
        found.add(folder.toString());
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) {
      return FileVisitResult.CONTINUE;
    }
  }

  @Test
  void names_areTheSandboxesOwn() throws Exception {
    assertThat(
            run(
                """
                import grp, os, pwd, socket
                print(socket.gethostbyname('localhost'), socket.gethostname(),
                      pwd.getpwuid(os.getuid()).pw_dir, len(pwd.getpwall()), len(grp.getgrall()))
                """))
        .isEqualTo("127.0.0.1 sandbox /workspace 1 1\n");
  }

  @Test
  void rootFolder_takesTheHostsPlace() throws Exception {
    String root = System.getenv("STEPWELL_TEST_ROOT");
    assumeThat(root).as("STEPWELL_TEST_ROOT names no root file system").isNotNull();
    Profile usual = profile(LIMITS);
    Profile inFolder =
        new Profile(
            usual.name(),
            usual.image(),
            Path.of(root),
            python(),
            List.of(),
            usual.environment(),
            LIMITS,
            usual.stepLimits());
    Sandbox sandbox = backend.create(inFolder, List.of(python(), "-I", "-c", READ_ONLY_PROBE));
    try {
      assertThat(allOutput(sandbox)).isEqualTo("[]\n");
    } finally {
      sandbox.destroy();
    }
    String look = "import os; print(os.getcwd(), os.path.samestat(os.stat('/tmp'), os.stat('.')))";
    Sandbox second = backend.create(inFolder, List.of(python(), "-I", "-c", look));
    try {
      assertThat(allOutput(second)).isEqualTo("/workspace False\n");
    } finally {
      second.destroy();
    }
  }

  @Test
  void rootFolder_hasItsMounts(@TempDir Path folder) throws Exception {
    String root = System.getenv("STEPWELL_TEST_ROOT");
    assumeThat(root).as("STEPWELL_TEST_ROOT names no root file system").isNotNull();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("file"), "mounted");
    Profile usual = profile(LIMITS);
    Profile inFolder =
        new Profile(
            usual.name(),
            usual.image(),
            Path.of(root),
            null,
            python(),
            List.of(),
            usual.environment(),
            LIMITS,
            usual.stepLimits(),
            usual.stateLimits(),
            new TreeMap<>(Map.of("a-1", folder)));
    assertThat(allOutput(start(inFolder, "print(open('/data/a-1/file').read())")))
        .isEqualTo("mounted\n");
  }

  @Test
  void rootFolder_thatIsMissing_isNamed_withTheWayToGetIt() {
    Profile usual = profile(LIMITS);
    Profile nowhere =
        new Profile(
            "science",
            usual.image(),
            Path.of("/nowhere"),
            python(),
            List.of(),
            usual.environment(),
            LIMITS,
            usual.stepLimits());
    assertThatThrownBy(() -> backend.create(nowhere, List.of(python())))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("profile science needs the root folder /nowhere")
        .hasMessageContaining("bin/stepwell images build science --backend bubblewrap");
  }

  @Test
  void program_thatIsMissing_isNamed() {
    assertThatThrownBy(() -> backend.create(profile(LIMITS), List.of("/usr/bin/python9")))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("/usr/bin/python9");
  }

  @Test
  void open_withoutBwrap_saysWhatToInstall() {
    BubblewrapSettings settings =
        new BubblewrapSettings(Path.of("/nowhere/bwrap"), Path.of("/tmp"), true);
    assertThatThrownBy(() -> BubblewrapBackend.open(settings))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("/nowhere/bwrap")
        .hasMessageContaining("install bubblewrap");
  }

  @Test
  void open_whereBwrapFails_saysWhy() {
    BubblewrapSettings settings =
        new BubblewrapSettings(Path.of("/usr/bin/false"), Path.of("/tmp"), true);
    assertThatThrownBy(() -> BubblewrapBackend.open(settings))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("user namespaces");
  }
}
