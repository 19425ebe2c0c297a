package dev.stepwell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One session, step by step the same, on every backend that this machine has: with real brokers and
 * workers, each the command that a user types. Where there is no enroot, its place is taken by the
 * stand-in that keeps its command line's contract.
 */
@Timeout(400)
@NullUnmarked // Looks into answers that it knows to be there.
final class BackendsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path STAND_IN =
      HOME.resolve("worker/src/test/resources/dev/stepwell/worker/sandbox/enroot/stand-in/enroot");

  /** What differs from one run to the next, whatever the backend. */
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]+");

  @TempDir private Path folder;

  @Test
  void sameSteps_haveTheSameResults_onEveryBackend() throws Exception {
    Map<String, List<String>> byBackend = new LinkedHashMap<>();
    if (System.getenv("DOCKER_HOST") != null) {
      byBackend.put("docker", resultsOn("docker", Map.of()));
    }
    if (Files.isExecutable(Path.of("/usr/bin/bwrap"))) {
      byBackend.put("bubblewrap", resultsOn("bubblewrap", Map.of()));
    }
    if (onPath("unsquashfs")) {
      byBackend.put("enroot", resultsOn("enroot", pathToEnroot()));
    }
    System.out.println("backends compared: " + byBackend.keySet());
    Assumptions.assumeTrue(byBackend.size() > 1, "skipped: there are no two backends to compare");

    List<String> first = byBackend.values().iterator().next();
    assertThat(first).hasSize(14);
    byBackend.forEach(
        (backend, results) -> assertThat(results).as(backend).containsExactlyElementsOf(first));
  }

  private List<String> resultsOn(String backend, Map<String, String> variables) throws Exception {
    Path own = Files.createDirectory(folder.resolve(backend));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (CliProcess stack =
        CliProcess.start(own, variables, "up", "--backend", backend, "--port", "0")) {
      String bootstrap = bootstrap(stack);
      List<String> results = new ArrayList<>();
      try (Stepwell client =
          Stepwell.builder(bootstrap).answerTimeout(Duration.ofMinutes(2)).connect()) {
        Session session = client.newSession();
        for (Step step : steps()) {
          results.add(comparable(session.run(step)));
        }
        Session fork = session.fork(3);
        results.add(comparable(fork.run("b.append('fork')\na, len(Shape.made)")));
        results.add(new String(fork.files().get("notes/one.txt"), UTF_8));
        results.add(comparable(client.run(Step.shell("pwd; ls -A; id -u | grep -c '^0$'"))));
      }
      stack.process().destroy();
      stack.exitCode();
      return results;
    }
  }

  /** Every kind of step, and most of the ways in which one can end. */
  private static List<Step> steps() {
    return List.of(
        Step.python("import random\nrandom.seed(7)\na = [1]\nb = a\n'\u00e9\u4e2d'"),
        Step.python(
            """
            import dataclasses, os
            @dataclasses.dataclass
            class Shape:
                w: int
                made = []
                def area(self): return self.w * scale
            scale = 2
            s = Shape(3)
            Shape.made.append(s)
            os.makedirs('notes', exist_ok=True)
            open('notes/one.txt', 'w').write('one\\n')
            print(s, os.getcwd())
            """),
        Step.python("scale = 5\nb.append(s.area())\na, s.area(), random.random()"),
        Step.python("import sys\nprint('before', file=sys.stderr)\nc = a\n1 / 0"),
        Step.shell("cat notes/one.txt; echo two > notes/two.txt; exit 3").artifact("notes/**"),
        Step.argv("python3", "-c", "import sys; print(sys.argv[1:], sys.stdin.read())", "x y", "")
            .stdin("typed"),
        Step.python(
            "lines = [open('notes/' + n).read() for n in sorted(os.listdir('notes'))]\nlines"),
        Step.python("import threading\nlock = threading.Lock()\ng = (i for i in a)\nnext(g)"),
        Step.python("while True: pass").wallTime(Duration.ofMillis(700)),
        Step.python("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"),
        Step.python("a is b, s in Shape.made, 'g' in globals(), random.random()"));
  }

  /** All of a result that the step's code decides. */
  private static String comparable(ExecutionResult result) {
    String state =
        result.state() == null
            ? "none"
            : "%s kept %d lost %s files %d"
                .formatted(
                    result.state().saved(),
                    result.state().kept(),
                    result.state().lost(),
                    result.state().files());
    String text =
        Stream.of(
                result.step(),
                result.outcome(),
                result.exitCode(),
                result.signal(),
                result.stdout(),
                result.stderr(),
                result.value(),
                result.exception(),
                result.error() == null ? null : result.error().code(),
                result.artifacts().stream().map(each -> each.path() + each.content()).toList(),
                state)
            .map(Objects::toString)
            .reduce("", (all, one) -> all + "|" + one);
    return ADDRESS.matcher(text).replaceAll("ADDRESS");
  }

  private static String bootstrap(CliProcess stack) {
    String ready = "ready: bootstrap=";
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> stack.out().contains(ready) || !stack.process().isAlive());
    try {
      return stack
          .out()
          .lines()
          .filter(line -> line.startsWith(ready))
          .map(line -> line.substring(ready.length()).strip())
          .findFirst()
          .orElseThrow(() -> new AssertionError(error(stack)));
    } catch (IOException e) {
      throw new AssertionError("what the command printed can't be read", e);
    }
  }

  private static String error(CliProcess stack) {
    try {
      return stack.err();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** A folder that other users can enter, since enroot gives root away. */
  private Map<String, String> pathToEnroot() throws IOException {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin:/bin");
    if (onPath("enroot")) {
      return Map.of();
    }
    System.out.println(
        "enroot tests: no enroot here; a stand-in that keeps its command-line contract is used");
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Path program = Files.copy(STAND_IN, programs.resolve("enroot"));
    for (Path each : List.of(folder, programs, program)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return Map.of("PATH", programs + ":" + path);
  }

  private static boolean onPath(String program) {
    return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(":", -1))
        .anyMatch(each -> !each.isEmpty() && Files.isExecutable(Path.of(each, program)));
  }
}
