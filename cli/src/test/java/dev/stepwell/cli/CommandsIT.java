package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.cli.process.ExitCodes;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands as processes, with a real broker, a real worker and bubblewrap. */
@Timeout(300)
final class CommandsIT {
  private static final String READY = "ready: bootstrap=";

  @TempDir private Path folder;

  @BeforeAll
  static void needsBubblewrap() {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
  }

  @Test
  void demo_goesAsItShouldAndLeavesNothing() throws Exception {
    CliProcess demo = CliProcess.run(folder, "demo", "--backend", "bubblewrap", "--json");
    assertThat(demo.exitCode()).as(demo.err()).isEqualTo(ExitCodes.OK);
    List<JsonNode> lines = json(demo.out());
    JsonNode summary = lines.get(lines.size() - 1);
    assertThat(summary.get("ok").booleanValue()).isTrue();
    assertThat(summary.get("sandboxes").intValue()).isEqualTo(lines.size() - 1);
    assertThat(lines.subList(0, lines.size() - 1))
        .extracting(line -> line.at("/result/sandboxId").asText())
        .doesNotHaveDuplicates()
        .doesNotContain("", "null");
    assertThat(folder.resolve("tmp")).isEmptyDirectory();
  }

  @Test
  void up_answersUntilItIsTerminatedAndLeavesNothing() throws Exception {
    try (CliProcess up = CliProcess.start(folder, "up", "--port", "0", "--backend", "bubblewrap")) {
      String bootstrap = awaitReady(up);
      Path first = Files.writeString(folder.resolve("first.py"), "x = 41");
      Path second = Files.writeString(folder.resolve("second.py"), "x + 1");
      assertThat(exec(bootstrap, "--session", "s", first.toString()).exitCode()).isZero();
      CliProcess later = exec(bootstrap, "--session", "s", "--json", second.toString());
      assertThat(json(later.out()).get(0).at("/value/text").asText()).isEqualTo("42");
      assertThat(json(later.out()).get(0).at("/step").asInt()).isEqualTo(2);
      assertThatItsLoadIsTold(bootstrap);

      up.process().destroy();
      assertThat(up.exitCode()).isEqualTo(143);
      assertThat(folder.resolve("tmp")).isEmptyDirectory();
      assertThatThrownBy(() -> connect(bootstrap)).isInstanceOf(IOException.class);
    }
  }

  private void assertThatItsLoadIsTold(String bootstrap) throws Exception {
    JsonNode quiet = load(bootstrap);
    assertThat(quiet.get("workers").asInt()).isEqualTo(1);
    assertThat(quiet.get("unanswered").asInt()).isZero();
    assertThat(quiet.get("oldestMs").asLong()).isZero();
    assertThat(quiet.get("answeredPerSecond").asDouble()).isPositive();
    Path sleeper = Files.writeString(folder.resolve("sleeper.py"), "import time; time.sleep(25)");
    try (CliProcess busy =
        CliProcess.start(folder, "exec", "--bootstrap", bootstrap, sleeper.toString())) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(busy.process().isAlive()).isTrue();
                JsonNode load = load(bootstrap);
                assertThat(load.get("unanswered").asInt()).isEqualTo(1);
                assertThat(load.get("oldestMs").asLong()).isPositive();
              });
    }
  }

  private JsonNode load(String bootstrap) throws Exception {
    CliProcess load = CliProcess.run(folder, "load", "--json", "--bootstrap", bootstrap);
    assertThat(load.exitCode()).as(load.err()).isZero();
    return json(load.out()).get(0);
  }

  @Test
  void brokerOfACommandThatWasKilled_goesToo() throws Exception {
    try (CliProcess up = CliProcess.start(folder, "up", "--port", "0", "--backend", "bubblewrap")) {
      String bootstrap = awaitReady(up);
      connect(bootstrap);
      Path brokerFolder = temporaryFolderOf("stepwell-broker-");
      up.process().destroyForcibly();
      await().atMost(Duration.ofSeconds(30)).until(() -> !Files.exists(brokerFolder));
      assertThatThrownBy(() -> connect(bootstrap)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void exec_bringsItsOwnWorkerAndTellsHowStepsEnded() throws Exception {
    Path good = Files.writeString(folder.resolve("good.py"), "print('here')");
    Path bad = Files.writeString(folder.resolve("bad.py"), "while True: pass");
    CliProcess exec =
        CliProcess.run(
            folder,
            "exec",
            "--backend",
            "bubblewrap",
            "--timeout",
            "500ms",
            good.toString(),
            bad.toString());
    assertThat(exec.exitCode()).as(exec.err()).isEqualTo(ExitCodes.FAILED);
    assertThat(exec.out())
        .containsSubsequence("good.py", "COMPLETED", "here", "bad.py", "TIMED_OUT", "session ");
    assertThat(folder.resolve("tmp")).isEmptyDirectory();
  }

  @Test
  void eval_countsAndWritesALineForEachTask() throws Exception {
    Path starter = Path.of("..", "tasks", "starter.jsonl");
    Path tasks = folder.resolve("tasks.jsonl");
    Files.writeString(
        tasks,
        Files.readString(starter)
            + "{\"id\":\"wrong\",\"steps\":[\"1\"],\"expect\":{\"value\":\"2\"}}");
    Path out = folder.resolve("results.jsonl");
    CliProcess eval =
        CliProcess.run(
            folder, "eval", "--backend", "bubblewrap", "--out", out.toString(), tasks.toString());
    assertThat(eval.exitCode()).as(eval.out() + eval.err()).isEqualTo(ExitCodes.FAILED);
    assertThat(eval.out())
        .contains("failed wrong: step 1: value is '1', expected '2'")
        .contains("31 tasks: 30 passed, 1 failed, 0 infrastructure");
    assertThat(json(Files.readString(out))).hasSize(31);
  }

  private CliProcess exec(String bootstrap, String... more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("exec", "--bootstrap", bootstrap));
    arguments.addAll(List.of(more));
    return CliProcess.run(folder, arguments.toArray(String[]::new));
  }

  private Path temporaryFolderOf(String prefix) throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("tmp"))) {
      return all.filter(path -> path.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String awaitReady(CliProcess up) throws IOException {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> up.out().contains(READY) || !up.process().isAlive());
    assertThat(up.out()).as(up.err()).startsWith(READY);
    return up.out().strip().substring(READY.length());
  }

  private static void connect(String address) throws IOException {
    String[] parts = address.split(":", 2);
    try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      assertThat(socket.isConnected()).isTrue();
    }
  }

  private static List<JsonNode> json(String lines) throws JsonProcessingException {
    List<JsonNode> objects = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      objects.add(JsonMapper.builder().build().readTree(line));
    }
    return objects;
  }
}
