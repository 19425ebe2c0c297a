package dev.stepwell.worker.sandbox.enroot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import dev.stepwell.worker.sandbox.WorkerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Images and the container roots that are made of them. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EnrootImagesIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final SandboxLimits LIMITS = new SandboxLimits(128L << 20, 32, 2_000, 16L << 20);

  private Path program = Path.of("/nowhere");
  private Path good = Path.of("/nowhere.sqsh");
  private Path folder = Path.of("/nowhere");
  private EnrootSettings settings = EnrootSettings.defaults();
  private EnrootBackend backend;

  @BeforeAll
  void requireMachinery() throws Exception {
    program = TestEnroot.program();
    Path usual = TestEnroot.openFolder();
    Availability found = EnrootBackend.probe(new EnrootSettings(program, "nobody", usual, true));
    assumeThat(found.usable()).as(found.reason()).isTrue();
    good = TestEnroot.image(usual);
  }

  @BeforeEach
  void open() throws Exception {
    folder = TestEnroot.openFolder();
    settings = new EnrootSettings(logging(), "nobody", folder, true);
    backend = EnrootBackend.open(settings);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  /** The program, with a note of each command in a file. */
  private Path logging() throws IOException {
    Path log = Files.createFile(folder.resolve("log"));
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-rw-rw-"));
    Path wrapper = folder.resolve("enroot");
    Files.writeString(
        wrapper,
        "#!/bin/sh\necho \"$1\" >> %s\nPATH=%s:$PATH\nexec %s \"$@\"\n"
            .formatted(log, program.getParent(), program));
    return Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private long commands(String name) throws IOException {
    return Files.readAllLines(folder.resolve("log")).stream().filter(name::equals).count();
  }

  private static Profile profile(Path image) {
    StepLimits.Bounds bounds = new StepLimits.Bounds(60_000, 1L << 30, 1 << 20, 1 << 20);
    return new Profile(
            "science",
            "none",
            null,
            PYTHON,
            List.of(),
            Map.of("GREETING", "'quoted'", "LINES", "one\ntwo", "VARIABLE", "${HOME}"),
            LIMITS,
            new StepLimits(bounds, bounds))
        .withSquashfs(image);
  }

  private String run(Path image, String code) throws Exception {
    Sandbox sandbox = backend.create(profile(image), List.of(PYTHON, "-I", "-c", code));
    try {
      String output = new String(sandbox.output().readAllBytes(), UTF_8);
      return output + sandbox.diagnostics();
    } finally {
      sandbox.destroy();
    }
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(Path image) {
    return assertThatThrownBy(() -> run(image, "pass"))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("science");
  }

  private Path roots() {
    return backendFolders().resolve("data");
  }

  private Path backendFolders() {
    try (Stream<Path> bases = Files.list(folder)) {
      Path base =
          bases
              .filter(path -> path.getFileName().toString().matches("enroot-\\d+"))
              .findFirst()
              .orElseThrow();
      try (Stream<Path> users = Files.list(base)) {
        return users.findFirst().orElseThrow();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> names(Path in) throws IOException {
    try (Stream<Path> entries = Files.list(in)) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void imageThatIsMissing_isNamed_withTheWayToGetIt() {
    refused(folder.resolve("none.sqsh"))
        .hasMessageContaining(folder + "/none.sqsh")
        .hasMessageContaining("bin/stepwell images build science --backend enroot");
  }

  @Test
  void profileWithoutImage_isRefused() {
    assertThatThrownBy(() -> backend.create(profile(good).withSquashfs(null), List.of(PYTHON)))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("profile.science.squashfs");
  }

  @Test
  void fileThatIsNoImage_isRefused() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.sqsh"));
    Path text = Files.writeString(folder.resolve("text.sqsh"), "x".repeat(4096));
    refused(empty).hasMessageContaining("no squashfs image");
    refused(text).hasMessageContaining(text.toString());
    assertThat(commands("create")).isZero();
  }

  @Test
  void halfWrittenImage_isRefused_andRunsOnceItIsWhole() throws Exception {
    Path image = Files.copy(good, folder.resolve("half.sqsh"));
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(Files.size(good) / 2);
    }
    refused(image).hasMessageContaining("bytes are there");
    Files.copy(good, image, StandardCopyOption.REPLACE_EXISTING);
    assertThat(run(image, "print(1)")).isEqualTo("1\n");
  }

  @Test
  void damagedImage_isRefused_withWhatEnrootSays_andLeavesNoRoot() throws Exception {
    Path image = Files.copy(good, folder.resolve("damaged.sqsh"));
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      byte[] noise = new byte[1 << 20];
      new java.util.Random(1).nextBytes(noise);
      file.seek(Files.size(good) - noise.length - 4096);
      file.write(noise);
    }
    refused(image).hasMessageContaining("damaged.sqsh").hasMessageContaining("squashfs");
    assertThat(names(roots())).isEmpty();
  }

  @Test
  void imageThatTheUserCantRead_isRefused() throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    Path image = Files.copy(good, folder.resolve("secret.sqsh"));
    Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("rw-------"));
    refused(image).hasMessageContaining("can't read it");
  }

  @Test
  void program_thatIsMissing_isNamed() {
    assertThatThrownBy(() -> backend.create(profile(good), List.of("/usr/bin/python9")))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("/usr/bin/python9")
        .hasMessageContaining(good.toString());
  }

  @Test
  void imageWithoutPython_isRefused_withWhatItSaid() throws Exception {
    Path root = Files.createDirectory(folder.resolve("bare"));
    for (String name : List.of("etc", "bin", "lib", "lib64")) {
      Files.createDirectory(root.resolve(name));
    }
    Path image = TestEnroot.image(folder.resolve("bare.sqsh"), root);
    refused(image).hasMessageContaining("bare.sqsh").hasMessageContaining("/bin/sh");
  }

  @Test
  void environment_arrivesAsItIs_whateverItHolds() throws Exception {
    assertThat(
            run(good, "import os; print(*map(os.environ.get, ('GREETING', 'LINES', 'VARIABLE')))"))
        .isEqualTo("'quoted' one\ntwo ${HOME}\n");
  }

  @Test
  void user_hasANameAndAHome() throws Exception {
    assertThat(
            run(
                good,
                """
                import os, pwd, grp, socket
                me = pwd.getpwuid(os.getuid())
                print(len(me.pw_name) > 0, len(grp.getgrgid(os.getgid()).gr_name) > 0,
                      os.path.expanduser('~'), socket.gethostbyname('localhost'))
                """))
        .isEqualTo("True True /workspace 127.0.0.1\n");
  }

  @Test
  void imagesOwnTables_areNotObeyed() throws Exception {
    Path root = copyOfRoot("hostile");
    Path secret = Files.writeString(folder.resolve("host-file"), "host");
    Files.writeString(root.resolve("etc/fstab"), folder + " /mnt none x-create=dir,bind,rw 0 0\n");
    Files.writeString(root.resolve("etc/environment"), "LD_PRELOAD=/nowhere.so\nEXTRA=1\n");
    Files.writeString(root.resolve("etc/rc"), "echo from rc\n");
    Path image = TestEnroot.image(folder.resolve("hostile.sqsh"), root);

    assertThat(run(image, "import os; print(os.listdir('/mnt'), os.environ.get('EXTRA'))"))
        .isEqualTo("[] None\n");
    assertThat(secret).hasContent("host");
  }

  @Test
  void imageWhoseEtcLeadsOut_isRefused_andNothingOutIsTouched() throws Exception {
    Path out = Files.createDirectory(folder.resolve("out"));
    Files.writeString(out.resolve("fstab"), "mine");
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path root = Files.createDirectory(folder.resolve("leading-out"));
    Files.createSymbolicLink(root.resolve("etc"), out);
    Path image = TestEnroot.image(folder.resolve("leading-out.sqsh"), root);

    refused(image).hasMessageContaining("no folder /etc");
    assertThat(names(out)).containsExactly("fstab");
    assertThat(names(roots())).isEmpty();
  }

  private Path copyOfRoot(String name) throws Exception {
    Path copy = folder.resolve(name);
    String root = Objects.requireNonNull(System.getenv("STEPWELL_TEST_ROOT"));
    Process copying = new ProcessBuilder("cp", "-a", root, copy.toString()).start();
    assertThat(copying.waitFor()).isZero();
    return copy;
  }

  @Test
  void root_isMadeOnce_howeverManyAsk() throws Exception {
    Process first = worker(good);
    Process second = worker(good);
    try {
      for (Process worker : List.of(first, second)) {
        assertThat(WorkerProcess.lines(worker).lines().skip(2).findFirst()).contains("up");
      }
      assertThat(run(good, "print(1)")).isEqualTo("1\n");
      assertThat(commands("create")).isEqualTo(1);
      assertThat(names(roots())).hasSize(1);
    } finally {
      first.destroyForcibly().waitFor();
      second.destroyForcibly().waitFor();
    }
  }

  private Process worker(Path image) throws Exception {
    return WorkerProcess.start(
        false,
        folder,
        "enroot:" + settings.enroot() + ":" + folder,
        image.toString(),
        "import time; print('up', flush=True); time.sleep(1000)",
        "marker");
  }

  @Test
  void halfMadeRoot_isMadeAgain() throws Exception {
    assertThat(run(good, "print(1)")).isEqualTo("1\n");
    Path root = roots().resolve(names(roots()).get(0));
    Files.delete(backendFolders().resolve("made").resolve(root.getFileName()));
    Files.delete(root.resolve("usr/bin/python3"));

    try (EnrootBackend other = EnrootBackend.open(settings)) {
      Sandbox sandbox = other.create(profile(good), List.of(PYTHON, "-c", "print(2)"));
      assertThat(sandbox.output().readAllBytes()).isEqualTo("2\n".getBytes(UTF_8));
      sandbox.destroy();
    }
    assertThat(commands("create")).isEqualTo(2);
  }

  @Test
  void reap_removesHalfMadeRoots_andThoseOfImagesThatHaveChanged() throws Exception {
    Path image = Files.copy(good, folder.resolve("changing.sqsh"));
    Process user = worker(image);
    assertThat(WorkerProcess.lines(user).lines().skip(2).findFirst()).contains("up");
    String old = names(roots()).get(0);
    Files.copy(good, image, StandardCopyOption.REPLACE_EXISTING);
    assertThat(run(image, "print(1)")).isEqualTo("1\n");
    assertThat(names(roots())).hasSize(2);

    backend.reap();
    assertThat(names(roots())).as("one is still in use").hasSize(2);
    user.destroyForcibly().waitFor();
    Path half = Files.createDirectory(roots().resolve("i_half-0"));
    assertThat(backend.reap()).isGreaterThanOrEqualTo(2);
    assertThat(names(roots())).hasSize(1).doesNotContain(old, half.getFileName().toString());
    assertThat(run(image, "print(2)")).isEqualTo("2\n");
  }
}
