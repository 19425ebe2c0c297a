package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.broker.BrokerProcess;
import dev.stepwell.cli.local.TopicCreation;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedLogs;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.client.Session;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What evaluations and recordings do when a broker, a user or an object store leaves them. */
@Timeout(420)
@NullUnmarked // Looks into logs and answers that it knows.
final class OutageIT {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int PARTITIONS = 2;
  private static final int TASKS = 42;
  private static final int MANY = 20_000;

  private static final String REQUEST =
      "{\"version\":1,\"requestId\":\"q%d\",\"kind\":\"PYTHON\",\"source\":\"'%s'\"}";

  @TempDir private static Path shared;
  private static BrokerProcess broker;
  private static CliProcess worker;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    broker = startBroker(0);
    worker = startWorker(shared, Topics.DEFAULT.prefix(), Map.of());
  }

  /** A test that failed may have left none. */
  @BeforeEach
  void needBroker() throws IOException {
    if (ProcessHandle.of(broker.pid()).isEmpty()) {
      startBrokerAgain();
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (worker != null) {
      end(worker);
    }
    if (broker != null) {
      broker.close();
    }
  }

  /** In good order, so that nothing of its sandboxes stays for another worker to clear up. */
  private static void end(CliProcess worker) throws InterruptedException {
    try (worker) {
      worker.process().destroy();
      worker.exitCode();
    }
  }

  private static BrokerProcess startBroker(int port) throws IOException {
    Path lib = Path.of("..", "broker", "target", "dist", "lib");
    return BrokerProcess.start(lib, port, shared.resolve("broker"), Duration.ofMinutes(1));
  }

  private static void killBroker() {
    ProcessHandle.of(broker.pid()).orElseThrow().destroyForcibly();
    broker.ended().join();
  }

  private static void startBrokerAgain() throws IOException {
    broker = startBroker(Integer.parseInt(broker.bootstrap().replaceAll(".*:", "")));
  }

  private static void createTopics(Topics topics) {
    new TopicCreation(topics, PARTITIONS, (short) 1).create(broker.bootstrap());
  }

  /** A worker of an installation of its own on the shared broker. */
  private static CliProcess startWorker(Path folder, String prefix, Map<String, String> more)
      throws IOException {
    createTopics(new Topics(prefix));
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", broker.bootstrap());
    settings.put("topic.prefix", prefix);
    settings.put("group.id", prefix);
    settings.put("cluster.name", prefix);
    settings.put("backend", "bubblewrap");
    settings.put("slots", "2");
    settings.put("shutdown.grace", "1s");
    Path scratch = Files.createDirectories(folder.resolve("scratch"));
    settings.put("scratch.folder", scratch.toString());
    List<String> lines = settings.entrySet().stream().map(Object::toString).toList();
    Path config = Files.write(folder.resolve("worker.properties"), lines);
    return CliProcess.start(folder, "worker", "--config", config.toString());
  }

  @Test
  void brokerThatGoesAwayDuringAnEvaluation_isWaitedFor_andNoTaskNoticesIt() throws Exception {
    Path tasks = Files.writeString(folder.resolve("tasks.jsonl"), EvalIT.tasks(TASKS / 3, 0.1));
    Path out = folder.resolve("out.jsonl");
    Path work = folder.resolve("work");
    try (CliProcess eval =
        start("eval", "--concurrency=4", "--work=" + work, "--out=" + out, tasks.toString())) {
      until(eval, () -> EvalIT.linesOf(work.resolve("journal.jsonl")) >= TASKS / 3);
      killBroker();
      until(eval, () -> eval.err().contains("no Kafka answers at " + broker.bootstrap()));
      assertThat(eval.err()).contains("; waiting");
      assertThat(EvalIT.linesOf(work.resolve("journal.jsonl"))).isLessThan(TASKS);
      startBrokerAgain();
      until(eval, () -> eval.err().contains("answers again after"));

      assertThat(eval.exitCode()).as(eval.out() + eval.err()).isEqualTo(ExitCodes.FAILED);
      assertThat(eval.out())
          .contains("42 tasks: 41 passed, 1 failed, 0 infrastructure")
          .contains("49 candidates: 41 passed, 8 failed, 0 infrastructure");
    }
    assertThat(verdicts(out)).hasSize(49);
    verdicts(out).forEach((id, status) -> assertThat(status).as(id).isEqualTo(expected(id)));
    List<String> published = Committed.evaluated(broker.bootstrap(), "stepwell.requests");
    assertThat(published).hasSizeGreaterThan(100).doesNotHaveDuplicates();
    eventually()
        .untilAsserted(
            () ->
                assertThat(Committed.evaluated(broker.bootstrap(), "stepwell.results"))
                    .containsExactlyInAnyOrderElementsOf(published));
  }

  private static String expected(String sample) {
    boolean worse = sample.matches("forks-\\d*[02468]#1");
    return worse || sample.equals("one-7") ? "failed" : "passed";
  }

  private static Map<String, String> verdicts(Path out) throws IOException {
    Map<String, String> verdicts = new TreeMap<>();
    for (String line : Files.readAllLines(out)) {
      JsonNode verdict = MAPPER.readTree(line);
      verdicts.put(verdict.path("id").asText(), verdict.path("status").asText());
    }
    return verdicts;
  }

  @Test
  void brokerThatGoesAwayDuringARecording_isWaitedFor_andTheLogIsWhole() throws Exception {
    Topics topics = new Topics("many");
    createTopics(topics);
    publish(topics.requests(), 0, MANY);
    publish(topics.results(), 0, MANY - 1);
    Path log = folder.resolve("many.log");
    // The result that is missing keeps the recording under way, however fast it is.
    try (CliProcess record = record(log, "--prefix", "many", "--state", "none", "--wait", "10m")) {
      until(record, () -> Files.exists(log) && Files.size(log) > 10_000);
      killBroker();
      until(record, () -> record.err().contains("does not answer: waiting until it does"));
      startBrokerAgain();
      until(record, () -> record.err().contains("answers again"));
      publish(topics.results(), MANY - 1, MANY);

      assertThat(record.exitCode()).as(record.err()).isEqualTo(ExitCodes.OK);
      // Once for each outage; a loaded machine may make more of them.
      assertThat(record.err().split("does not answer", -1))
          .hasSameSizeAs(record.err().split("answers again", -1));
      assertThat(record.out())
          .contains(MANY + " requests, " + MANY + " results")
          .contains("0 unanswered, 0 results without request");
    }
    try (RecordedLog whole = RecordedLogs.open(log)) {
      assertThat(whole.tear()).isNull();
      Set<String> asked = new HashSet<>();
      drain(whole.requests(), each -> assertThat(asked.add(each.request().requestId())).isTrue());
      assertThat(asked).hasSize(MANY);
      drain(whole.results(), each -> assertThat(asked.remove(each.result().requestId())).isTrue());
      assertThat(asked).isEmpty();
    }
  }

  @Test
  void interruptedRecording_leavesALogThatIsGoodAndSaysThatItWasStopped() throws Exception {
    Topics topics = new Topics("few");
    createTopics(topics);
    publish(topics.requests(), 0, 5);
    publish(topics.results(), 0, 3);
    Path log = folder.resolve("few.log");
    try (CliProcess record = record(log, "--prefix", "few", "--state", "none", "--wait", "10m")) {
      until(record, () -> Files.exists(log) && count(log, RecordedLog::results) == 3);
      assertThat(
              new ProcessBuilder("kill", "-INT", Long.toString(record.process().pid()))
                  .start()
                  .waitFor())
          .isZero();

      assertThat(record.exitCode()).as(record.err()).isEqualTo(130);
      assertThat(record.out())
          .contains("5 requests, 3 results")
          .contains("2 unanswered")
          .contains("it was stopped before its end");
    }
    assertThat(count(log, RecordedLog::requests)).isEqualTo(5);
    assertThat(count(log, RecordedLog::results)).isEqualTo(3);
    try (RecordedLog stopped = RecordedLogs.open(log)) {
      assertThat(stopped.tear().reason()).isEqualTo("the recording was stopped before its end");
    }
  }

  @Test
  void stateInAnObjectStore_isInTheLog_andIsReplayedWithoutTheStore() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Map<String, String> settings =
        Map.of("claim.check", "0", "object.store", store.toAbsolutePath().toString());
    try (CliProcess storing = startWorker(folder, "storing", settings);
        Stepwell client =
            Stepwell.builder(broker.bootstrap())
                .topicPrefix("storing")
                .answerTimeout(Duration.ofMinutes(3))
                .connect()) {
      Session session = client.session("kept");
      session.run("import random\nrandom.seed(5)\nbig = random.randbytes(300_000)");
      session.run("import hashlib\nhashlib.sha256(big).hexdigest()");
      session.run("big = big[::-1]\nhashlib.sha256(big).hexdigest()");
      assertThat(storing.process().isAlive()).as(storing.err()).isTrue();
      end(storing);
    }
    Path log = folder.resolve("stored.log");
    Path nowhere = folder.resolve("nowhere");

    CliProcess wrong = recordAll(log, "--prefix", "storing", "--object-store", nowhere.toString());
    assertThat(wrong.exitCode()).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(wrong.err()).contains(nowhere + " can't be used").contains("--object-store");
    assertThat(log).doesNotExist();

    CliProcess without = recordAll(log, "--prefix", "storing");
    assertThat(without.exitCode()).as(without.err()).isEqualTo(ExitCodes.OK);
    assertThat(without.out()).contains("3 snapshots that could not be read");
    assertThat(without.out()).contains("are in an object store: give --config");

    CliProcess with =
        recordAll(log, "--force", "--prefix", "storing", "--object-store", store.toString());
    assertThat(with.exitCode()).as(with.err()).isEqualTo(ExitCodes.OK);
    assertThat(with.out()).contains("0 snapshots that could not be read");
    assertThatPiecesAreFrom(store, log);
    Files.move(store, folder.resolve("gone"));

    try (CliProcess replay =
        start("replay", log.toString(), "--session", "kept", "--from-step", "2")) {
      assertThat(replay.exitCode()).as(replay.out() + replay.err()).isEqualTo(ExitCodes.OK);
      assertThat(replay.out()).contains("2 same");
    }
  }

  private static void assertThatPiecesAreFrom(Path store, Path log) throws IOException {
    try (Stream<Path> files = Files.walk(store);
        RecordedLog recorded = RecordedLogs.open(log)) {
      List<String> stored =
          files
              .filter(Files::isRegularFile)
              .map(each -> each.getFileName().toString())
              .filter(each -> each.matches("[0-9a-f]{64}"))
              .toList();
      List<RecordedSnapshot> snapshots = recorded.snapshots("kept");
      assertThat(snapshots).hasSize(3);
      assertThat(snapshots).flatExtracting(RecordedSnapshot::pieces).containsAll(stored);
      assertThat(stored).isNotEmpty();
      for (String each : stored) {
        assertThat(recorded.piece(each)).isNotNull();
      }
    }
  }

  /** Requests, or results, that no worker has seen; a kilobyte each, which doesn't compress. */
  private static void publish(String topic, int from, int to) throws Exception {
    Random random = new Random(from);
    byte[] filler = new byte[380];
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrap(), "max.block.ms", "120000"),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = from; i < to; i++) {
        random.nextBytes(filler);
        String text = HexFormat.of().formatHex(filler);
        String message =
            topic.endsWith("requests")
                ? REQUEST.formatted(i, text)
                : RecordIT.result("q" + i, text);
        sent.add(producer.send(new ProducerRecord<>(topic, "q" + i, message)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  private static long count(Path log, Entries entries) throws IOException {
    try (RecordedLog read = RecordedLogs.open(log)) {
      return drain(entries.of(read), each -> {});
    }
  }

  private interface Entries {
    RecordedLog.Cursor<?> of(RecordedLog log) throws IOException;
  }

  private static <T> long drain(RecordedLog.Cursor<T> cursor, Consumer<T> sink) throws IOException {
    long count = 0;
    try (cursor) {
      for (T each = cursor.next(); each != null; each = cursor.next()) {
        sink.accept(each);
        count++;
      }
    }
    return count;
  }

  private CliProcess start(String command, String... more) throws IOException {
    return CliProcess.start(
        folder,
        Stream.concat(Stream.of(command, "--bootstrap", broker.bootstrap()), Stream.of(more))
            .toArray(String[]::new));
  }

  private CliProcess record(Path log, String... more) throws IOException {
    return start(
        "record",
        Stream.concat(Stream.of("-o", log.toString()), Stream.of(more)).toArray(String[]::new));
  }

  private CliProcess recordAll(Path log, String... more) throws IOException, InterruptedException {
    CliProcess record = record(log, more);
    record.exitCode();
    return record;
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(20));
  }

  /** Waits for something that must come before the command ends. */
  private static void until(CliProcess command, Callable<Boolean> condition) throws IOException {
    eventually().until(() -> condition.call() || !command.process().isAlive());
    assertThat(command.process().isAlive()).as(command.out() + command.err()).isTrue();
  }
}
