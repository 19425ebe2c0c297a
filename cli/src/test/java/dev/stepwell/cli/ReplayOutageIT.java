package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.broker.BrokerProcess;
import dev.stepwell.cli.local.TopicCreation;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker is killed while a log is replayed on it, with a real worker and real sandboxes. */
@Timeout(400)
@NullUnmarked // Looks into messages that it knows to be there.
final class ReplayOutageIT {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int SESSIONS = 12;
  private static final int STEPS = 5;
  private static final int ALL = SESSIONS * STEPS;
  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private BrokerProcess broker;

  @BeforeEach
  void start() throws IOException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    broker = startBroker(0);
    new TopicCreation(Topics.DEFAULT, PARTITIONS, (short) 1).create(broker.bootstrap());
  }

  @AfterEach
  void stop() {
    if (broker != null) {
      broker.close();
    }
  }

  private BrokerProcess startBroker(int port) throws IOException {
    return BrokerProcess.start(
        Path.of("..", "broker", "target", "dist", "lib"),
        port,
        folder.resolve("broker"),
        Duration.ofMinutes(1));
  }

  @Test
  void brokerKilledOnTheWay_isWaitedForAndNothingRunsTwice() throws Exception {
    Path log = folder.resolve("log");
    Files.write(log, log());
    String bootstrap = broker.bootstrap();
    try (CliProcess worker = CliProcess.start(folder, "worker", "--config", config().toString());
        CliProcess replay =
            CliProcess.start(
                folder,
                "replay",
                log.toString(),
                "--bootstrap",
                bootstrap,
                "--speed",
                "original",
                "--env",
                "REPLAY_TOKEN=given")) {
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  Committed.messages(broker.bootstrap(), Topics.DEFAULT.results()).size()
                      >= ALL / 3);
      kill(broker);
      await()
          .atMost(PATIENCE)
          .until(() -> replay.err().contains("no Kafka answers at " + bootstrap));
      assertThat(replay.process().isAlive()).as(replay.err()).isTrue();
      assertThat(replay.err()).contains("; waiting").doesNotContain("answers again");
      broker = startBroker(Integer.parseInt(bootstrap.replaceAll(".*:", "")));

      int exitCode = replay.exitCode();
      assertThat(exitCode).as(replay.out() + replay.err() + worker.err()).isEqualTo(ExitCodes.OK);
      assertThat(replay.err()).contains("Kafka at " + bootstrap + " answers again after");
      assertThat(replay.out())
          .contains("the value of REPLAY_KEY was left out of the log, and " + ALL + " requests ran")
          .doesNotContain("REPLAY_TOKEN")
          .contains(ALL + " requests: 0 same, 0 different, " + ALL + " not compared");
      worker.process().destroy();
      worker.exitCode();
    }
    assertOnceAndInOrder();
    assertThat(folder.resolve("state/stepwell/runs")).isEmptyDirectory();
  }

  private static void kill(BrokerProcess broker) {
    ProcessHandle.of(broker.pid()).orElseThrow().destroyForcibly();
    broker.ended().join();
  }

  /** Every session counts its steps, so that one more run or another order shows in its output. */
  private void assertOnceAndInOrder() throws IOException {
    List<JsonNode> requests = Committed.messages(broker.bootstrap(), Topics.DEFAULT.requests());
    List<JsonNode> results = Committed.messages(broker.bootstrap(), Topics.DEFAULT.results());
    List<String> published = texts(requests, "requestId");
    assertThat(published).hasSize(ALL).doesNotHaveDuplicates();
    assertThat(texts(results, "requestId")).containsExactlyInAnyOrderElementsOf(published);
    Map<String, List<String>> sent = new TreeMap<>();
    requests.forEach(each -> bySession(sent, each, "source"));
    Map<String, List<String>> printed = new TreeMap<>();
    results.forEach(each -> bySession(printed, each, "stdout"));
    List<String> sources = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    for (int step = 1; step <= STEPS; step++) {
      sources.add(source(step));
      outputs.add("%d %d given\n".formatted(step, step));
    }
    assertThat(sent.values()).hasSize(SESSIONS).containsOnly(sources);
    assertThat(printed.values()).hasSize(SESSIONS).containsOnly(outputs);
  }

  private static void bySession(
      Map<String, List<String>> bySession, JsonNode message, String field) {
    bySession
        .computeIfAbsent(message.get("sessionId").textValue(), key -> new ArrayList<>())
        .add(message.get(field).textValue());
  }

  private static List<String> texts(List<JsonNode> messages, String field) {
    return messages.stream().map(each -> each.get(field).textValue()).toList();
  }

  /** Steps of all sessions in turns, eight a second, which leaves most to do at the kill. */
  private static List<String> log() {
    List<String> lines = new ArrayList<>();
    for (int step = 1; step <= STEPS; step++) {
      for (int session = 0; session < SESSIONS; session++) {
        ObjectNode line = MAPPER.createObjectNode();
        line.put("type", "request").put("atMs", 1_000_000 + 125L * lines.size());
        line.putArray("withheld").add("REPLAY_TOKEN").add("REPLAY_KEY");
        ObjectNode message = line.putObject("message").put("version", 1);
        message.put("requestId", "s%d-%d".formatted(session, step)).put("sessionId", "s" + session);
        message.put("kind", "PYTHON").put("source", source(step));
        message
            .putObject("environment")
            .put("REPLAY_TOKEN", "left out")
            .put("REPLAY_KEY", "left out");
        lines.add(line.toString());
      }
    }
    return lines;
  }

  private static String source(int step) {
    return """
        import os
        count = globals().get('count', 0) + 1
        print(%d, count, os.environ['REPLAY_TOKEN'])
        """
        .formatted(step);
  }

  private Path config() throws IOException {
    return Files.write(
        folder.resolve("worker.properties"),
        List.of(
            "bootstrap.servers=" + broker.bootstrap(),
            "backend=bubblewrap",
            "slots=2",
            "shutdown.grace=1s",
            "scratch.folder=" + folder.resolve("scratch")));
  }
}
