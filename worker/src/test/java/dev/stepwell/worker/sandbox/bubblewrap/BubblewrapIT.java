package dev.stepwell.worker.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.IsolationContract;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bubblewrap with the best limits that this machine offers. */
class BubblewrapIT extends IsolationContract {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  @BeforeAll
  static void skipWithoutBubblewrap() {
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
