package dev.stepwell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.local.TopicCreation;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedLogs;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.codec.MessageCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code stepwell record} with a real broker, worker and bubblewrap. */
@Timeout(300)
@NullUnmarked // Looks into logs that it knows.
final class RecordIT {
  private static final String SECRET = "hunter2-hunter2";

  private static LocalStack stack;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws InterruptedException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    System.setProperty("stepwell.home", Path.of("..").toAbsolutePath().normalize().toString());
    stack = LocalStack.start(LocalOptions.temporary(BackendName.BUBBLEWRAP, List.of(), 2));
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void recordedRun_hasEveryRequestResultAndState_andNoSecret() throws Exception {
    List<ExecutionResult> results = new ArrayList<>();
    String fork;
    try (Stepwell client =
        Stepwell.builder(stack.bootstrap()).answerTimeout(Duration.ofMinutes(2)).connect()) {
      results.add(client.run(Step.python("6 * 7")));
      Session kept = client.session("kept");
      results.add(kept.run("x = [1]; big = bytes(range(256)) * 4096"));
      results.add(kept.run("x.append(2)"));
      Session forked = kept.fork();
      fork = forked.id();
      results.add(forked.run("x.append(3); x"));
      // Before the variable that names it as a secret, and one that none names.
      client.run(Step.python("print('%s', 'told-by-nobody')".formatted(SECRET)));
      results.add(client.session("leaky").run(leaking()));
    }
    Path told = Files.writeString(folder.resolve("told"), "told-by-nobody\n\n");

    assertThat(record("--ignore", "addresses", "--secret-values", told.toString()))
        .as(err.toString())
        .isEqualTo(ExitCodes.OK);

    assertThat(zcat())
        .doesNotContain(SECRET, "told-by-nobody")
        .contains("print('[withheld API_TOKEN]', '[withheld]')");
    try (RecordedLog log = RecordedLogs.open(log())) {
      assertThat(log.tear()).isNull();
      assertThat(log.header().ignore()).containsExactly("addresses");
      List<RecordedRequest> requests = all(log.requests());
      List<RecordedResult> answers = all(log.results());
      assertThat(log.requestCount()).hasValue(requests.size());
      assertThat(requests).extracting(RecordedRequest::problem).containsOnlyNulls();
      assertThat(answers)
          .extracting(each -> each.result().requestId())
          .containsExactlyInAnyOrderElementsOf(
              requests.stream().map(each -> each.request().requestId()).toList());
      for (ExecutionResult result : results.subList(0, 4)) {
        assertThat(answers).extracting(RecordedResult::result).contains(result);
      }
      assertSecretIsGone(requests);
      // What the steps left is there, and each snapshot has its pieces.
      assertThat(log.snapshots("kept"))
          .extracting(RecordedSnapshot::id)
          .containsExactly(results.get(1).state().snapshot(), results.get(2).state().snapshot());
      assertThat(log.snapshots(fork))
          .extracting(RecordedSnapshot::id)
          .containsExactly(results.get(2).state().snapshot(), results.get(3).state().snapshot());
      assertPieces(log, log.snapshots(fork));
      assertPieces(log, log.snapshots("leaky"));
    }
    assertThat(out.toString()).contains("recorded " + log()).contains("0 unanswered");

    assertThat(record("--session", "kept", "--state", "start", "--force")).isZero();
    try (RecordedLog log = RecordedLogs.open(log())) {
      assertThat(all(log.requests())).extracting(RecordedRequest::key).containsOnly("kept");
      assertThat(log.snapshots("kept")).isEmpty();
    }
  }

  private static Step leaking() {
    // In a piece too: large enough not to be kept in the snapshot's own description.
    String source =
        "import os; t = os.environ['API_TOKEN']; print(t); big = (t + ' ') * 20000; del t";
    return Step.python(source).environment(Map.of("API_TOKEN", SECRET));
  }

  private static void assertSecretIsGone(List<RecordedRequest> requests) {
    RecordedRequest leaky =
        requests.stream().filter(each -> each.key().equals("leaky")).findFirst().orElseThrow();
    assertThat(leaky.withheld()).containsExactly("API_TOKEN");
    assertThat(((ExecutionRequest) leaky.request()).environment())
        .containsExactly(Map.entry("API_TOKEN", "[withheld API_TOKEN]"));
  }

  private static void assertPieces(RecordedLog log, List<RecordedSnapshot> snapshots)
      throws IOException {
    for (RecordedSnapshot snapshot : snapshots) {
      assertThat(new String(snapshot.description(), UTF_8)).doesNotContain(SECRET);
      for (String id : snapshot.pieces()) {
        byte[] piece = log.piece(id);
        if (snapshot.sessionId().equals("leaky")) {
          assertThat(piece == null || !new String(piece, UTF_8).contains(SECRET)).isTrue();
        } else {
          assertThat(piece).isNotNull();
        }
      }
    }
  }

  @Test
  void ranges_areOfTimesOrOffsets_andWhatIsMissingIsCounted() throws Exception {
    Topics topics = new Topics("ranges");
    new TopicCreation(topics, 2, (short) 0).create(stack.bootstrap());
    new TopicCreation(new Topics("own"), 2, (short) 0).create(stack.bootstrap());
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    try (KafkaProducer<String, String> producer = producer()) {
      for (int i = 0; i < 10; i++) {
        send(producer, topics.requests(), i % 2, begin.plusSeconds(60L * i), request(i));
        if (i != 7) {
          String topic = i == 5 ? "own.results" : topics.results();
          send(producer, topic, i % 2, begin.plusSeconds(60L * i + 1), result("r" + i, ""));
        }
      }
      send(producer, topics.requests(), 0, begin.plusSeconds(1000), "no request");
    }

    assertThat(record(topics)).isZero();
    assertThat(keys())
        .containsExactly("r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "-");
    assertThat(answers()).containsExactly("r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9");
    assertThat(out.toString()).contains("1 unanswered, 0 results without request");

    assertThat(record(topics, "--from", "2026-01-01T00:02:00Z", "--to", "2026-01-01T00:05"))
        .isZero();
    assertThat(keys()).containsExactly("r2", "r3", "r4");
    assertThat(answers()).containsExactly("r2", "r3", "r4");

    assertThat(record(topics, "--from", "0:1", "--to", "0:3")).isZero();
    assertThat(keys()).containsExactly("r2", "r4");
    assertThat(out.toString()).contains("0 unanswered, 1 results without request");

    assertThat(record(topics, "--from", "9:1")).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("--from").contains("the topic has 2");
  }

  @Test
  void wrongArguments_areNamed() throws Exception {
    assertThat(record(new Topics("nowhere"))).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("no topic nowhere.requests").contains("--prefix");
    assertThat(log()).doesNotExist();
    assertThat(record("--from", "yesterday")).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("--from is 'yesterday'");
    Path tooShort = Files.writeString(folder.resolve("short"), "a-long-one\nshort\n");
    assertThat(record("--secret-values", tooShort.toString())).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("line 2 of " + tooShort).contains("fewer than 6");
    Files.writeString(log(), "mine");
    assertThat(record()).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("is there already").contains("--force");
    assertThat(log()).hasContent("mine");
  }

  private static String request(int i) {
    String reply = i == 5 ? ",\"replyTo\":\"own.results\"" : "";
    return "{\"version\":1,\"requestId\":\"r%d\",\"kind\":\"PYTHON\",\"source\":\"1\"%s}"
        .formatted(i, reply);
  }

  /** A result as a worker would write it, with all that a result must have. */
  static String result(String requestId, String stdout) {
    ExecutionResult result =
        new ExecutionResult(
            requestId,
            null,
            null,
            Outcome.COMPLETED,
            0,
            null,
            stdout,
            "",
            new Truncation(0, 0),
            null,
            null,
            null,
            null,
            new Timings(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
            new Usage(1.0, 1L, "none"),
            "w",
            "b",
            1);
    return new String(new MessageCodec().encode(result), UTF_8);
  }

  private static void send(
      KafkaProducer<String, String> producer, String topic, int partition, Instant at, String text)
      throws Exception {
    producer.send(new ProducerRecord<>(topic, partition, at.toEpochMilli(), "k", text)).get();
  }

  private static KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", stack.bootstrap(), "linger.ms", "0"),
        new StringSerializer(),
        new StringSerializer());
  }

  private List<String> keys() throws IOException {
    try (RecordedLog log = RecordedLogs.open(log())) {
      return all(log.requests()).stream()
          .map(each -> each.request() == null ? "-" : each.request().requestId())
          .toList();
    }
  }

  private List<String> answers() throws IOException {
    try (RecordedLog log = RecordedLogs.open(log())) {
      return all(log.results()).stream().map(each -> each.result().requestId()).toList();
    }
  }

  private static <T> List<T> all(RecordedLog.Cursor<T> cursor) throws IOException {
    List<T> all = new ArrayList<>();
    try (cursor) {
      for (T each = cursor.next(); each != null; each = cursor.next()) {
        all.add(each);
      }
    }
    return all;
  }

  private int record(Topics topics, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--prefix", topics.prefix(), "--state", "none", "--force"));
    arguments.addAll(Arrays.asList(more));
    return record(arguments.toArray(String[]::new));
  }

  private int record(String... more) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of("record", "--bootstrap", stack.bootstrap()));
    arguments.addAll(List.of("-o", log().toString()));
    arguments.addAll(List.of(more));
    return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  private Path log() {
    return folder.resolve("a.log");
  }

  private String zcat() throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(log()))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
