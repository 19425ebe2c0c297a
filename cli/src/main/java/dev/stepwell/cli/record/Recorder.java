package dev.stepwell.cli.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stepwell.cli.log.LogCounts;
import dev.stepwell.cli.log.LogOrigin;
import dev.stepwell.cli.log.LogWriter;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.RequestSalvage;
import dev.stepwell.worker.archive.ArchiveException;
import dev.stepwell.worker.archive.SnapshotArchive;
import dev.stepwell.worker.config.KafkaConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Records a range of an installation's requests, with their results and the snapshots that belong
 * to them. {@link #record} runs on its caller's thread, once; {@link #stop} may come from any.
 *
 * <p>Requests come first, then results, then state: what is a result's request, and what is a
 * session's, is known only behind the requests. These are read twice, because a secret may come
 * before the request that names it as one. Memory is bounded but for 32 bytes for each request,
 * some 200 for each session, and the secrets.
 */
public final class Recorder {
  /** How far the clocks of publishers and workers may be apart. */
  private static final long CLOCKS_MS = TimeUnit.MINUTES.toMillis(10);

  private static final int FIRST_ANSWER_MS = 10_000;

  /** How much of the whole is done, about, once secrets, requests and results are through. */
  private static final double LEARNT = 0.2;

  private static final double ASKED = 0.5;
  private static final double ANSWERED = 0.8;

  private final RecordOptions options;
  private final Progress progress;
  private final Secrets secrets;
  private final AskedRequests asked = new AskedRequests();
  private final SeenSessions seen = new SeenSessions();
  private final Set<String> replyTopics = new TreeSet<>();
  private long firstAtMs = Long.MAX_VALUE;
  private long lastAtMs = Long.MIN_VALUE;
  private long withoutRequest;
  private volatile boolean stopped;

  public Recorder(RecordOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
    secrets = new Secrets(options.withhold(), options.secretValues());
    replyTopics.add(topics().results());
  }

  /** Has recording end early, with an index for what is there; doesn't wait for that. */
  public void stop() {
    stopped = true;
  }

  /**
   * Records.
   *
   * @throws CommandException if the range or the broker isn't there, or the state can't be read
   * @throws IOException if the log can't be written
   */
  public RecordSummary record() throws IOException, InterruptedException {
    long now = System.currentTimeMillis();
    // Before anything is asked, so that a wrong one costs nothing.
    Position from = Position.parse("--from", options.from(), now);
    Position to = Position.parse("--to", options.to(), now);
    KafkaConnection kafka = new KafkaConnection("stepwell-record", options.config().kafka());
    try (Admin admin = Admin.create(admin(kafka));
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(reader(kafka));
        SnapshotArchive archive = archive()) {
      String cluster = cluster(admin);
      Patience patience = new Patience(admin, bootstrap(), progress, () -> stopped);
      RecordedRange range = new RecordedRange(consumer, patience);
      Asked what = asked(range, from, to);
      LogOrigin origin =
          new LogOrigin(
              cluster, topics().prefix(), what.begins().size(), options.from(), options.to());
      try (LogWriter log =
          LogWriter.create(options.log(), now, origin, options.ignore(), options.replace())) {
        learnSecrets(new MergedReader(consumer, what.begins(), patience), what);
        requests(new MergedReader(consumer, what.begins(), patience), what, log);
        results(consumer, range, patience, log);
        return ended(log, states(archive, log, patience));
      }
    } catch (KafkaException e) {
      throw new CommandException(
          "recording from Kafka at %s failed: %s".formatted(bootstrap(), e.getMessage()), e);
    }
  }

  /**
   * The range of the request topic; immutable.
   *
   * @param begins where each partition begins
   * @param ends where it ends
   */
  private record Asked(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
    /** How many records there may be. */
    long records() {
      return ends.entrySet().stream()
          .mapToLong(end -> Math.max(0, end.getValue() - begins.getOrDefault(end.getKey(), 0L)))
          .sum();
    }
  }

  private Asked asked(RecordedRange range, Position from, Position to) throws InterruptedException {
    List<TopicPartition> partitions = range.partitions(topics().requests());
    if (partitions.isEmpty()) {
      throw new CommandException(
          "there is no topic %s on Kafka at %s: is --prefix right?"
              .formatted(topics().requests(), bootstrap()));
    }
    return new Asked(range.from(from, partitions), range.to(to, partitions));
  }

  private RecordSummary ended(LogWriter log, RecordSummary.StateLosses losses) throws IOException {
    long sessions = seen.sessions().size();
    boolean early = stopped;
    log.counts(new LogCounts(sessions, asked.unanswered(), withoutRequest, early));
    log.close();
    progress.part(1);
    return new RecordSummary(
        log.appended(),
        log.bytes(),
        sessions,
        asked.unanswered(),
        withoutRequest,
        secrets.values(),
        losses,
        early);
  }

  private void learnSecrets(MergedReader reader, Asked what) throws InterruptedException {
    long all = Math.max(1, what.records());
    reader.upTo(what.ends());
    for (ConsumerRecord<byte[], byte[]> each = reader.next(); each != null; each = reader.next()) {
      if (each.value() != null) {
        secrets.learn(each.value());
      }
      progress.part(LEARNT * Math.min(1, (double) reader.taken() / all));
    }
  }

  private void requests(MergedReader reader, Asked what, LogWriter log)
      throws IOException, InterruptedException {
    long all = Math.max(1, what.records());
    reader.upTo(what.ends());
    for (ConsumerRecord<byte[], byte[]> each = reader.next(); each != null; each = reader.next()) {
      request(each, log);
      double part = Math.min(1, (double) reader.taken() / all);
      progress.part(LEARNT + (ASKED - LEARNT) * part);
    }
    log.flush();
  }

  private void request(ConsumerRecord<byte[], byte[]> record, LogWriter log) throws IOException {
    byte[] message = record.value() == null ? new byte[0] : record.value();
    RequestSalvage whose = RequestSalvage.from(message);
    String session = whose.sessionId();
    if (!options.sessions().isEmpty()
        && (session == null || !options.sessions().contains(session))) {
      return;
    }
    Secrets.Cleaned cleaned = secrets.request(message);
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    log.request(
        record.timestamp(),
        record.partition(),
        record.offset(),
        key,
        cleaned.message(),
        cleaned.withheld());
    progress.done("requests");
    firstAtMs = Math.min(firstAtMs, record.timestamp());
    lastAtMs = Math.max(lastAtMs, record.timestamp());
    if (whose.requestId() != null) {
      asked.asked(whose.requestId());
    }
    if (whose.replyTo() != null) {
      replyTopics.add(whose.replyTo());
    }
    JsonNode tree = cleaned.tree();
    if (tree != null) {
      noteState(session, tree);
    }
  }

  private void noteState(@Nullable String session, JsonNode request) {
    JsonNode operation = request.path("operation");
    if (session != null) {
      seen.request(session, operation.path("type").asText().equals("FORK"));
    }
    for (JsonNode base : List.of(request.path("base"), operation.path("base"))) {
      if (base.isTextual()) {
        seen.base(base.textValue());
      }
    }
  }

  private void results(
      KafkaConsumer<byte[], byte[]> consumer, RecordedRange range, Patience patience, LogWriter log)
      throws IOException, InterruptedException {
    if (asked.unanswered() == 0 || stopped) {
      return;
    }
    List<TopicPartition> partitions = replyPartitions(range);
    Map<TopicPartition, Long> ends = range.ends(partitions);
    Map<TopicPartition, Long> begins = new HashMap<>(ends);
    begins.putAll(range.at(Math.max(0, firstAtMs - CLOCKS_MS), partitions));
    MergedReader reader = new MergedReader(consumer, begins, patience);
    long all = 0;
    for (TopicPartition each : partitions) {
      all += ends.getOrDefault(each, 0L) - begins.getOrDefault(each, 0L);
    }
    long untilNanos = System.nanoTime() + options.answers().toNanos();
    do {
      reader.upTo(ends);
      for (ConsumerRecord<byte[], byte[]> each = reader.next();
          each != null && asked.unanswered() > 0;
          each = reader.next()) {
        result(each, log);
        double part = Math.min(1, (double) reader.taken() / Math.max(1, all));
        progress.part(ASKED + (ANSWERED - ASKED) * part);
      }
      log.flushNowAndThen();
      ends = waitForMore(range, partitions, untilNanos);
    } while (!ends.isEmpty());
    log.flush();
  }

  /** Where the topics end a little later; empty where there is nothing to wait for. */
  private Map<TopicPartition, Long> waitForMore(
      RecordedRange range, List<TopicPartition> partitions, long untilNanos)
      throws InterruptedException {
    if (asked.unanswered() == 0 || stopped || System.nanoTime() >= untilNanos) {
      return Map.of();
    }
    TimeUnit.MILLISECONDS.sleep(200);
    return range.ends(partitions);
  }

  private List<TopicPartition> replyPartitions(RecordedRange range) throws InterruptedException {
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : replyTopics) {
      List<TopicPartition> found = range.partitions(topic);
      if (found.isEmpty() && !stopped) {
        progress.note("there is no reply topic " + topic + ": its results are missing");
      }
      partitions.addAll(found);
    }
    return partitions;
  }

  private void result(ConsumerRecord<byte[], byte[]> record, LogWriter log) throws IOException {
    byte[] message = record.value();
    ResultPeek whose = message == null ? null : ResultPeek.at(message);
    if (message == null || whose == null || whose.requestId() == null) {
      return;
    }
    if (asked.answered(whose.requestId())) {
      log.result(
          record.timestamp(),
          record.partition(),
          record.offset(),
          whose.requestId(),
          secrets.result(message));
      seen.result(whose.sessionId(), whose.step());
      progress.done("results");
    } else if (options.sessions().isEmpty()
        && record.timestamp() >= firstAtMs
        && record.timestamp() <= lastAtMs) {
      withoutRequest++;
    }
  }

  /** Opened before the log is begun, so that a wrong object store costs nothing. */
  private @Nullable SnapshotArchive archive() {
    if (options.states() == RecordOptions.States.NONE) {
      return null;
    }
    try {
      return SnapshotArchive.open(options.config());
    } catch (ArchiveException e) {
      throw new CommandException(
          e.getMessage() + ": is --object-store right? --state none records without it", e);
    }
  }

  private RecordSummary.StateLosses states(
      @Nullable SnapshotArchive archive, LogWriter log, Patience patience)
      throws IOException, InterruptedException {
    if (archive == null || stopped) {
      return new RecordSummary.StateLosses(0, 0, 0, List.of());
    }
    StateRecorder recorder = new StateRecorder(archive, log, secrets, patience, progress);
    recorder.record(seen, options.states());
    return recorder.losses();
  }

  private String cluster(Admin admin) throws InterruptedException {
    try {
      return admin.describeCluster().clusterId().get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "no Kafka answers at %s: %s".formatted(bootstrap(), cause.getMessage()), cause);
    }
  }

  private static Properties admin(KafkaConnection kafka) {
    Properties properties = kafka.admin();
    properties.put("default.api.timeout.ms", Integer.toString(FIRST_ANSWER_MS));
    properties.put("request.timeout.ms", Integer.toString(FIRST_ANSWER_MS / 2));
    return properties;
  }

  private static Properties reader(KafkaConnection kafka) {
    Properties properties = kafka.reader("reader");
    // Where retention overtakes the reader, what is left is worth having.
    properties.put("auto.offset.reset", "earliest");
    properties.put("allow.auto.create.topics", "false");
    properties.put("default.api.timeout.ms", Integer.toString(FIRST_ANSWER_MS));
    properties.put("request.timeout.ms", Integer.toString(FIRST_ANSWER_MS / 2));
    return properties;
  }

  private Topics topics() {
    return options.config().kafka().topics();
  }

  private String bootstrap() {
    return options.config().kafka().bootstrapServers();
  }
}
