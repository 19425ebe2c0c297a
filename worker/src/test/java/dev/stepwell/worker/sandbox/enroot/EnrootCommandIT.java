package dev.stepwell.worker.sandbox.enroot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.stepwell.worker.sandbox.Availability;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What the backend relies on of enroot's command line: the same for the real one and for the
 * stand-in, which is as good as this test says.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EnrootCommandIT {
  private static final String ROOT = "t";

  private Path folder = Path.of("/nowhere");
  private Path image = Path.of("/nowhere.sqsh");
  private SandboxUser user = new SandboxUser(0, 0, 0);
  private Map<String, String> environment = Map.of();
  private String program = "enroot";

  /** How a command ended. */
  private record Answer(int status, String output, String errors) {}

  @BeforeAll
  void createRoot() throws Exception {
    folder = TestEnroot.openFolder();
    EnrootSettings settings = new EnrootSettings(TestEnroot.program(), "nobody", folder, false);
    Availability found = EnrootBackend.probe(settings);
    assumeThat(found.usable()).as(found.reason()).isTrue();
    image = TestEnroot.image(folder);
    program = settings.enroot().toString();
    user = SandboxUser.resolve("nobody");
    Path sysconf = folder.resolve("sysconf");
    Path tables = Files.createDirectories(sysconf.resolve("mounts.d"));
    Files.writeString(
        tables.resolve("10.fstab"),
        "tmpfs /tmp tmpfs size=${SIZE_OF_TMP},mode=1777,nosuid,nodev,private\n");
    environment = UserFolders.create(settings, user).environment(sysconf);
    assertThat(enroot("create", "--name", ROOT, "--", image.toString()).status()).isZero();
  }

  private Process begin(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(user.mortalPrefix());
    command.add(program);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().put("SIZE_OF_TMP", "1048576");
    return builder.start();
  }

  private Answer enroot(String... arguments) throws Exception {
    return answer(begin(List.of(arguments)), "");
  }

  private static Answer answer(Process process, String input) throws Exception {
    try (OutputStream to = process.getOutputStream()) {
      to.write(input.getBytes(UTF_8));
    } catch (IOException unread) {
      assertThat(unread).hasMessageContaining("pipe");
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Answer(process.waitFor(), output, errors);
  }

  private Answer start(String... command) throws Exception {
    return enroot(startOf(command).toArray(String[]::new));
  }

  private static List<String> startOf(String... command) {
    List<String> line =
        new ArrayList<>(List.of("start", "--pid", "--net", "--ipc", "--uts", "--", ROOT));
    line.addAll(Arrays.asList(command));
    return line;
  }

  private Answer python(String code) throws Exception {
    return start("/usr/bin/python3", "-I", "-c", code);
  }

  @Test
  void version_isANumber() throws Exception {
    Answer answer = enroot("version");
    assertThat(answer.status()).isZero();
    assertThat(answer.output().strip()).matches("\\d+\\.\\d+(\\.\\d+)?");
  }

  @Test
  void exitStatus_isTheCommands_andNothingIsAdded() throws Exception {
    assertThat(start("/bin/sh", "-c", "echo out; echo err >&2; exit 7"))
        .isEqualTo(new Answer(7, "out\n", "err\n"));
  }

  @Test
  void commandKilledBySignal_endsWith128AndIt() throws Exception {
    assertThat(python("import os, signal; os.fork() or os.kill(os.getpid(), 6); os.wait()"))
        .satisfies(answer -> assertThat(answer.errors()).isEmpty());
    Process sleeping = begin(startOf("/bin/sleep", "1000"));
    await().until(() -> insideOf(sleeping).isPresent());
    ProcessHandle inside = insideOf(sleeping).orElseThrow();
    inside.destroyForcibly();
    assertThat(answer(sleeping, "").status()).isEqualTo(128 + 9);
  }

  /** The first process in the container, once it is the command. */
  private static Optional<ProcessHandle> insideOf(Process outer) {
    return outer
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("/sleep"))
        .findFirst();
  }

  @Test
  void commandNotFound_is127_withoutAPrefix() throws Exception {
    Answer answer = start("/usr/bin/no-such-program");
    assertThat(answer.status()).isEqualTo(127);
    assertThat(answer.errors()).contains("not found").doesNotContain("[ERROR]");
  }

  @Test
  void unknownOption_printsTheUsageOnStandardOutput() throws Exception {
    for (String command : List.of("create", "start", "remove", "list")) {
      Answer answer = enroot(command, "--no-such-option");
      assertThat(answer.status()).as(command).isEqualTo(1);
      assertThat(answer.output()).as(command).startsWith("Usage: ");
      assertThat(answer.errors()).as(command).isEmpty();
    }
    assertThat(enroot("start", "--help").status()).isZero();
    assertThat(enroot("start", "--help").output()).contains("--pid", "--net", "--ipc", "--uts");
  }

  @Test
  void missingThings_areErrorsWithTheirPath() throws Exception {
    assertThat(enroot("start", "none", "true").errors())
        .startsWith("[ERROR] No such file or directory: ")
        .contains("/none");
    assertThat(enroot("create", "--name", "x", "/none.sqsh"))
        .isEqualTo(new Answer(1, "", "[ERROR] No such file or directory: /none.sqsh\n"));
    assertThat(enroot("remove", "-f", "none").status()).isEqualTo(1);
    assertThat(enroot("start", "--env", "0=1", ROOT, "true").errors())
        .isEqualTo("[ERROR] Invalid argument: 0=1\n");
    assertThat(enroot("start", "a/b", "true").errors()).startsWith("[ERROR] Invalid argument: ");
  }

  @Test
  void create_refusesWhatIsThere_andWhatIsNoImage() throws Exception {
    Answer again = enroot("create", "--name", ROOT, image.toString());
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.errors()).startsWith("[ERROR] File already exists: ");
    Path text = Files.writeString(folder.resolve("text.sqsh"), "no image");
    assertThat(enroot("create", "--name", "x", text.toString()))
        .isEqualTo(new Answer(1, "", "[ERROR] Invalid image format: " + text + "\n"));
  }

  @Test
  void createListAndRemove_withoutQuestions() throws Exception {
    Path small = folder.resolve("small");
    Files.createDirectories(small.resolve("etc"));
    Path file = TestEnroot.image(folder.resolve("small.sqsh"), small);
    assertThat(enroot("create", file.toString()).status()).isZero();
    assertThat(enroot("list").output().lines()).contains(ROOT, "small");

    Answer unsaid = answer(begin(List.of("remove", "small")), "");
    assertThat(unsaid.status()).as("end of input is no yes").isEqualTo(1);
    assertThat(enroot("list").output().lines()).contains("small");
    assertThat(enroot("remove", "-f", "--", "small").status()).isZero();
    assertThat(enroot("list").output().lines()).doesNotContain("small");
  }

  @Test
  void mounts_areThoseOfTheTablesAndTheOptions() throws Exception {
    Path shown = Files.createDirectory(folder.resolve("shown"));
    Files.writeString(shown.resolve("file"), "content");
    String code =
        """
        import os
        print(open('/shown/file').read(), os.statvfs('/tmp').f_blocks * os.statvfs('/tmp').f_frsize)
        for path in ('/shown/new', '/shown/file', '/new', '/usr/new'):
            try:
                open(path, 'w')
                print('wrote', path)
            except OSError:
                pass
        open('/tmp/x', 'w')
        """;
    List<String> line = startOf("/usr/bin/python3", "-I", "-c", code);
    line.addAll(1, List.of("--mount", shown + ":/shown:none:x-create=dir,bind,ro"));
    assertThat(enroot(line.toArray(String[]::new)))
        .isEqualTo(new Answer(0, "content 1048576\n", ""));
  }

  @Test
  void mountThatFails_isToldWithoutAPrefix() throws Exception {
    List<String> line = startOf("/bin/true");
    line.addAll(1, List.of("--mount", "/no/such/folder:/x:none:x-create=dir,bind,ro"));
    Answer answer = enroot(line.toArray(String[]::new));
    assertThat(answer.status()).isEqualTo(1);
    assertThat(answer.errors())
        .startsWith("enroot-mount: failed to mount: /no/such/folder at ")
        .contains("No such file or directory");
  }

  @Test
  void namespaces_areNew_butForWhatIsNotAskedFor() throws Exception {
    String code =
        """
        import os
        print(*[os.readlink(f'/proc/self/ns/{n}') for n in
                ('user', 'pid', 'mnt', 'net', 'ipc', 'uts', 'cgroup')])
        """;
    String outside = "";
    for (String name : List.of("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")) {
      outside += Files.readSymbolicLink(Path.of("/proc/self/ns", name)) + " ";
    }
    Answer answer = python(code);
    assertThat(answer.errors()).isEmpty();
    assertThat(answer.output().strip().split(" "))
        .hasSize(7)
        .doesNotContainAnyElementsOf(List.of(outside.strip().split(" ")));
  }

  @Test
  void user_isTheCaller_withoutAnyRight_andWithAFilterThatLies() throws Exception {
    String code =
        """
        import os
        status = dict(line.split(':', 1) for line in open('/proc/self/status'))
        print(os.getuid(), os.getgid(), *[status[k].strip().lstrip('0') or 0 for k in
              ('CapPrm', 'CapEff', 'CapInh', 'CapAmb', 'CapBnd', 'NoNewPrivs', 'Seccomp')])
        os.chown('/tmp', 0, 0)
        os.setuid(0)
        print(os.stat('/tmp').st_uid == os.getuid(), os.getuid() != 0)
        """;
    assertThat(python(code))
        .isEqualTo(
            new Answer(0, user.uid() + " " + user.gid() + " 0 0 0 0 0 1 2\nTrue True\n", ""));
  }

  @Test
  void environment_isNothingOfTheCallers() throws Exception {
    List<String> line = startOf("/usr/bin/python3", "-I", "-c", "import os; print(*os.environ)");
    line.addAll(1, List.of("--env", "GIVEN=1"));
    Answer answer = enroot(line.toArray(String[]::new));
    assertThat(List.of(answer.output().strip().split(" "))).contains("GIVEN");
    assertThat(List.of("GIVEN", "PWD", "LC_CTYPE", "TERM", "SHLVL", "_", "OLDPWD"))
        .containsAll(List.of(answer.output().strip().split(" ")));
  }

  @Test
  void streams_areTheCallers_andNoOtherDescriptorIs() throws Exception {
    String text = "x".repeat(3 << 20);
    Process counting =
        begin(
            startOf(
                "/usr/bin/python3",
                "-I",
                "-c",
                "import os, sys; print(len(sys.stdin.read()), len(os.listdir('/proc/self/fd')))"));
    // Listing opens one more.
    assertThat(answer(counting, text)).isEqualTo(new Answer(0, text.length() + " 4\n", ""));
  }

  @Test
  void killingTheOuterProcess_endsTheContainer() throws Exception {
    Process sleeping = begin(startOf("/bin/sleep", "1000"));
    await().until(() -> insideOf(sleeping).isPresent());
    ProcessHandle inside = insideOf(sleeping).orElseThrow();
    sleeping.toHandle().destroyForcibly();
    sleeping.waitFor();
    await().until(() -> !inside.isAlive());
  }

  @Test
  void filesOfTheImage_areObeyed_soThatTheBackendMustRemoveThem() throws Exception {
    Path etc =
        Path.of(String.valueOf(environment.get("ENROOT_DATA_PATH"))).resolve(ROOT).resolve("etc");
    Path kept = folder.resolve("kept");
    Path fstab = etc.resolve("fstab");
    if (Files.exists(fstab)) {
      Files.move(fstab, kept, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.writeString(fstab, folder + " /mnt none bind,ro\n");
    Files.writeString(etc.resolve("environment"), "FROM_IMAGE=1\n");
    Files.writeString(etc.resolve("rc"), "echo from rc: $FROM_IMAGE; ls /mnt | grep -c plain\n");
    try {
      assertThat(start("/bin/true")).isEqualTo(new Answer(0, "from rc: 1\n1\n", ""));
    } finally {
      for (String name : List.of("fstab", "environment", "rc")) {
        Files.delete(etc.resolve(name));
      }
    }
  }
}
