package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.cli.process.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images of the user's own, made for real on top of a plain root, in a folder and an engine. */
@Timeout(300)
final class ImagesIT {
  private static final String IMAGE = "images-it-" + new SecureRandom().nextInt(1 << 30);
  private static final String REFERENCE = "stepwell/" + IMAGE + ":latest";

  @TempDir private static Path folder;

  private static Path data;
  private static Map<String, String> variables;

  @BeforeAll
  static void makeAnImage() throws Exception {
    String plain = System.getenv("STEPWELL_TEST_ROOT");
    Assumptions.assumeTrue(plain != null, "skipped: STEPWELL_TEST_ROOT names no root folder");
    for (String program : List.of("docker version", "bwrap --version", "unsquashfs -v")) {
      Assumptions.assumeTrue(works(program), "skipped: " + program + " does not work here");
    }
    // A worker of root's makes sandboxes of an ordinary user's, who has to get there.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    data = Files.createDirectories(folder.resolve("data"));
    Path roots = Files.createDirectories(data.resolve("rootfs"));
    Files.createSymbolicLink(roots.resolve("plain"), Path.of(String.valueOf(plain)));
    variables = Map.of("STEPWELL_DATA", data.toString());
    Files.writeString(folder.resolve("outside"), "untouched");

    CliProcess build =
        stepwell(
            "build",
            IMAGE,
            "--backend",
            "all",
            "--install",
            "echo made > /opt/made",
            "--pip",
            "six");
    assertThat(build.exitCode()).as(build.err()).isZero();
    assertThat(build.out().lines())
        .containsExactly(REFERENCE, root(IMAGE).toString(), squashfs(IMAGE).toString());
  }

  @AfterAll
  static void removeIt() throws Exception {
    if (variables != null) {
      script("remove", IMAGE);
      assertThat(Files.readString(folder.resolve("outside"))).isEqualTo("untouched");
    }
  }

  @Test
  void list_tellsEveryForm() throws Exception {
    JsonNode forms = listed(IMAGE).get("forms");
    assertThat(forms.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("docker", "bubblewrap", "enroot");
    assertThat(forms)
        .allSatisfy(form -> assertThat(form.get("recipe").asText()).isEqualTo("current"));
    assertThat(forms).allSatisfy(form -> assertThat(form.get("bytes").asLong()).isPositive());
    assertThat(stepwell("list").out()).contains(IMAGE).contains("NAME").contains("MB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker", "bubblewrap"})
  void oneName_runsOnEveryBackend(String backend) throws Exception {
    Path tasks = folder.resolve(backend + ".jsonl");
    Files.writeString(
        tasks,
        """
        {"id":"own","steps":["import six\\nprint(six.ensure_str(b'ok'), open('/opt/made').read())"],\
        "expect":{"stdout":"ok made\\n\\n"}}
        """);
    CliProcess eval =
        CliProcess.start(
            folder, variables, "eval", "--backend", backend, "--profile", IMAGE, tasks.toString());
    assertThat(eval.exitCode()).as(eval.out() + eval.err()).isEqualTo(ExitCodes.OK);
    assertThat(eval.out()).contains("1 tasks: 1 passed");
  }

  @Test
  void build_leavesWhatIsCurrent_andMakesTheSameAgain() throws Exception {
    byte[] before = Files.readAllBytes(squashfs(IMAGE));
    CliProcess again = script("build", IMAGE, "--backend", "enroot");
    assertThat(again.err()).isEmpty();
    assertThat(again.out().strip()).isEqualTo(squashfs(IMAGE).toString());

    assertThat(script("build", IMAGE, "--backend", "enroot", "--force").exitCode()).isZero();
    assertThat(squashfs(IMAGE)).hasBinaryContent(before);
  }

  @Test
  void lineThatFails_isNamedWithItsExitCode_andLeavesNothing() throws Exception {
    CliProcess build =
        script("build", "broken", "--backend", "bubblewrap", "--install", "echo why; exit 7");
    assertThat(build.exitCode()).isEqualTo(1);
    assertThat(build.err())
        .contains(
            "the line \"echo why; exit 7\" failed with exit code 7", "log/broken.log", "why\n");
    assertThat(build.out()).isEmpty();
    assertThat(root("broken")).doesNotExist();
    assertThat(script("build", "broken").err()).contains("there is no recipe for it yet");
    assertNothingHalfMade();
  }

  @Test
  void import_takesAnEnginesImage_andMakesTheOtherFormsOfIt() throws Exception {
    CliProcess brought = script("import", REFERENCE, "--as", "brought", "--backend", "bubblewrap");
    assertThat(brought.exitCode()).as(brought.err()).isZero();
    assertThat(brought.err()).contains("it has CPython 3.", "profile.brought.image=brought");
    assertThat(root("brought").resolve("opt/made")).hasContent("made");
    assertThat(root("brought").resolve(".dockerenv")).doesNotExist();

    assertThat(script("build", "brought", "--backend", "enroot").exitCode()).isZero();
    assertThat(script("build", "brought", "--pip", "six").err()).contains("was brought in from ");
    assertThat(listed("brought").at("/forms/enroot/recipe").asText()).isEqualTo("imported");
    assertThat(script("import", squashfs("brought").toString(), "--as", "again").exitCode())
        .isZero();
    assertThat(script("remove", "again").exitCode()).isZero();
    assertThat(script("remove", "brought").exitCode()).isZero();
    assertThat(root("brought")).doesNotExist();
    assertThat(squashfs("brought")).doesNotExist();
    assertThat(data.resolve("recipes/brought")).doesNotExist();
  }

  @Test
  void remove_refusesWhatASandboxRunsFrom() throws Exception {
    Path root = root(IMAGE);
    Process user =
        new ProcessBuilder(
                "bwrap", "--ro-bind", root.toString(), "/", "--proc", "/proc", "--", "sleep", "100")
            .start();
    try {
      CliProcess remove = script("remove", IMAGE, "--backend", "bubblewrap");
      assertThat(remove.exitCode()).isEqualTo(1);
      assertThat(remove.err()).contains(root + " is in use by process ", "Nothing was removed");
      assertThat(root).isDirectory();
    } finally {
      user.destroyForcibly().waitFor();
    }
  }

  @Test
  void archive_thatLeadsOutside_isRefused_andWritesNothing() throws Exception {
    Path target = folder.resolve("outside");
    refusedTar(
        new ForgedTar().add(ForgedTar.FILE, "../outside", "x"), "outside of itself: ../outside");
    refusedTar(new ForgedTar().add(ForgedTar.FILE, target.toString(), "x"), "outside of itself: /");
    refusedTar(
        new ForgedTar()
            .add(ForgedTar.HARD_LINK, "x", target.toString())
            .add(ForgedTar.FILE, "x", "x"),
        "a hard link to the outside: x to /");
    refusedTar(
        new ForgedTar()
            .add(ForgedTar.SYMBOLIC_LINK, "x", folder.toString())
            .add(ForgedTar.FILE, "x/outside", "x"),
        "could not be unpacked");
    refusedTar(
        new ForgedTar().add(ForgedTar.SYMBOLIC_LINK, "etc", folder.toString()),
        "no CPython 3.11 or newer");
    refusedTar(new ForgedTar().add(ForgedTar.DEVICE, "opt/null", ""), "no CPython 3.11 or newer");
    assertThat(folder.resolve("stepwell-recipe")).doesNotExist();
    assertNothingHalfMade();
  }

  private static void refusedTar(ForgedTar tar, String reason) throws Exception {
    refusedImport(tar.write(folder.resolve("forged.tar")), reason);
  }

  @Test
  void source_thatIsNoRoot_isNamedWithTheReason() throws Exception {
    byte[] squashfs = Files.readAllBytes(squashfs(IMAGE));
    Path half = folder.resolve("half.sqsh");
    Files.write(half, Arrays.copyOf(squashfs, squashfs.length / 2));
    refusedImport(half, "is half written: it has " + squashfs.length / 2 + " of ");
    refusedImport(Files.writeString(folder.resolve("no.sqsh"), "no"), "is no squashfs file");
    refusedImport(Files.writeString(folder.resolve("no.tar"), "no"), "is no whole tar archive");
    refusedImport(Files.createFile(folder.resolve("empty.tar")), "is empty");
    refusedImport(folder.resolve("nothing.tar"), "there is no file");
    refusedImport(folder, "is a folder");
    refusedTar(
        new ForgedTar().add(ForgedTar.FILE, "manifest.json", "[]"), "is what docker save writes");
    Path cut = folder.resolve("cut.tar");
    new ForgedTar().add(ForgedTar.FILE, "bin/a", "a".repeat(1024)).write(cut);
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 3 * 512));
    refusedImport(cut, "has no end");
    assertNothingHalfMade();
  }

  @Test
  void wrongUsage_isNamed() throws Exception {
    assertThat(script("build", "Geo", "--pip", "six").err()).contains("'Geo' is no name");
    assertThat(script("build", "plain", "--pip", "six").err()).contains("--base plain");
    assertThat(script("build", "a", "--base", "nowhere").err())
        .contains("there is no image nowhere");
    assertThat(script("build", "a", "--base", "a").err()).contains("built on itself");
    assertThat(script("build", "a", "--backend", "podman", "--pip", "six").err())
        .contains("--backend is 'podman'");
    assertThat(script("build", "kafka", "--backend", "enroot").err()).contains("for docker alone");
    assertThat(script("remove", "nowhere").err()).contains("there is no such image");
    assertThat(script("import", "x.tar", "--as", "data").err()).contains("take another name");
    assertThat(data.resolve("recipes/a")).doesNotExist();
  }

  private static void refusedImport(Path source, String reason) throws Exception {
    CliProcess brought =
        script("import", source.toString(), "--as", "bad", "--backend", "bubblewrap");
    assertThat(brought.exitCode()).as(brought.err()).isNotZero();
    assertThat(brought.err()).contains(reason);
    assertThat(root("bad")).doesNotExist();
  }

  private static void assertNothingHalfMade() throws IOException {
    try (Stream<Path> all = Files.list(data.resolve("rootfs"))) {
      assertThat(all).noneMatch(path -> path.getFileName().toString().contains(".new."));
    }
  }

  private static JsonNode listed(String image) throws Exception {
    for (String line : stepwell("list", "--json").out().lines().toList()) {
      JsonNode each = JsonMapper.builder().build().readTree(line);
      if (each.get("name").asText().equals(image)) {
        return each;
      }
    }
    throw new AssertionError(image + " is not in the list");
  }

  private static Path root(String image) {
    return data.resolve("rootfs").resolve(image);
  }

  private static Path squashfs(String image) {
    return data.resolve("squashfs").resolve(image + ".sqsh");
  }

  /** The command line. */
  private static CliProcess stepwell(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("images"));
    all.addAll(List.of(arguments));
    return ended(CliProcess.start(folder, variables, all.toArray(String[]::new)));
  }

  /** What is behind it, without the time that a virtual machine takes. */
  private static CliProcess script(String name, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of("..", "images", name).toAbsolutePath().normalize().toString());
    command.addAll(List.of(arguments));
    return ended(CliProcess.startCommand(folder, variables, command));
  }

  private static CliProcess ended(CliProcess process) throws InterruptedException {
    process.exitCode();
    return process;
  }

  private static boolean works(String command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command.split(" ", -1))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int status = process.waitFor();
      // unsquashfs shows its version and fails, in some versions.
      return status == 0 || command.startsWith("unsquashfs");
    } catch (IOException e) {
      return false;
    }
  }
}
