package dev.stepwell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records sessions with forks and replays them, with a real broker, worker and bubblewrap. */
@Timeout(600)
final class ReplayIT {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir private static Path folder;
  private static LocalStack stack;
  private static Path log;

  @BeforeAll
  static void record() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    System.setProperty("stepwell.home", Path.of("..").toAbsolutePath().normalize().toString());
    stack = LocalStack.start(LocalOptions.temporary(BackendName.BUBBLEWRAP, List.of(), 2));
    try (Stepwell client =
        Stepwell.builder(stack.bootstrap()).answerTimeout(Duration.ofMinutes(2)).connect()) {
      for (int i = 0; i < 3; i++) {
        Session session = client.newSession();
        session.run("x = [%d]\ndef double(n):\n    return 2 * n".formatted(i));
        session.run("x.append(double(x[0]))\nopen('f.txt', 'w').write(str(x))\nprint(len(x))");
        Session fork = session.fork(1);
        fork.run("x.append('fork')\nx");
        session.run("raise ValueError('as it should')");
        session.run("sum(x)");
      }
      // One that ends, and another one of its name: two first steps of one session's.
      for (String name : List.of("x", "y")) {
        Session again = client.session("again");
        again.run("%s = 1\nopen('%s', 'w').write('1')".formatted(name, name));
        again.end();
      }
      for (int i = 0; i < 20; i++) {
        client.run(Step.python("import time\ntime.sleep(0.2)\nprint(%d)".formatted(i)));
      }
    }
    log = folder.resolve("log");
    CliProcess recorded =
        CliProcess.run(folder, "record", "--bootstrap", stack.bootstrap(), "-o", log.toString());
    assertThat(recorded.exitCode()).as(recorded.err()).isZero();
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  private static CliProcess replay(Path replayed, String... more) throws IOException {
    List<String> arguments =
        Stream.concat(
                Stream.of("replay", replayed.toString(), "--json", replayed + ".json"),
                Stream.of(more))
            .toList();
    Map<String, String> state = Map.of("XDG_STATE_HOME", folder.resolve("state").toString());
    return CliProcess.start(folder, state, arguments.toArray(new String[0]));
  }

  private static JsonNode outcome(Path replayed) throws IOException {
    return MAPPER.readTree(Files.readString(Path.of(replayed + ".json")));
  }

  private static Path edited(String name, String from, String to) throws IOException {
    String lines;
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(log))) {
      lines = new String(in.readAllBytes(), UTF_8);
    }
    assertThat(lines).contains(from);
    return Files.writeString(folder.resolve(name), lines.replace(from, to));
  }

  @Test
  void sameCode_hasNoDifferences() throws Exception {
    Path page = folder.resolve("same.html");
    try (CliProcess replay =
        replay(log, "--bootstrap", stack.bootstrap(), "--report", page.toString())) {
      int exitCode = replay.exitCode();
      assertThat(exitCode).as(replay.out() + replay.err()).isZero();
    }
    JsonNode outcome = outcome(log);
    assertThat(outcome.path("counts").path("SAME").asLong())
        .isEqualTo(outcome.path("requests").asLong())
        .isGreaterThan(35);
    assertThat(page).isNotEmptyFile();
  }

  @Test
  void changedLine_isFoundAtItsStep() throws Exception {
    Path changed = edited("changed", "x.append('fork')", "x.append('spoon')");
    try (CliProcess replay = replay(changed, "--bootstrap", stack.bootstrap())) {
      int exitCode = replay.exitCode();
      assertThat(exitCode).as(replay.out() + replay.err()).isEqualTo(1);
    }
    JsonNode outcome = outcome(changed);
    assertThat(outcome.path("diverging").asInt()).isEqualTo(3);
    outcome
        .path("firstDivergences")
        .forEach(
            each -> {
              assertThat(each.path("step").asInt()).isEqualTo(2);
              assertThat(each.path("types").toString()).contains("VALUE");
            });
  }

  @Test
  void killedReplay_goesOnOnABrokerOfItsOwn() throws Exception {
    Path killed = Files.copy(log, folder.resolve("killed"));
    try (CliProcess replay = replay(killed, "--backend", "bubblewrap")) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> !replay.process().isAlive() || journaled() > 5);
      replay.process().destroyForcibly().waitFor();
    }
    try (CliProcess refused = replay(killed, "--backend", "bubblewrap")) {
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.err()).contains("--resume").contains("--restart");
    }
    try (CliProcess replay = replay(killed, "--backend", "bubblewrap", "--resume")) {
      int exitCode = replay.exitCode();
      assertThat(exitCode).as(replay.out() + replay.err()).isZero();
    }
    JsonNode outcome = outcome(killed);
    assertThat(outcome.path("counts").path("SAME").asLong())
        .isEqualTo(outcome.path("requests").asLong());
    try (Stream<Path> left = Files.list(folder.resolve("state/stepwell/runs"))) {
      assertThat(left).isEmpty();
    }
  }

  private static long journaled() throws IOException {
    Path runs = folder.resolve("state/stepwell/runs");
    if (!Files.isDirectory(runs)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(runs)) {
      long lines = 0;
      for (Path each : files.filter(file -> file.endsWith("journal.jsonl")).toList()) {
        lines += Files.readString(each).lines().count();
      }
      return lines;
    }
  }
}
