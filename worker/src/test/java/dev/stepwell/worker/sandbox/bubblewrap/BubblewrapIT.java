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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bubblewrap with the best limits that this machine offers. */
class BubblewrapIT extends IsolationContract {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

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

  /** Control groups with {@code part} in their names. */
  static List<String> named(String part) throws IOException {
    if (!Files.isDirectory(CGROUPS)) {
      return List.of();
    }
    try (Stream<Path> groups = Files.find(CGROUPS, 6, (path, a) -> a.isDirectory())) {
      return groups.map(Path::toString).filter(path -> path.contains(part)).toList();
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
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("/nowhere")
        .hasMessageContaining("bin/stepwell images build science");
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
