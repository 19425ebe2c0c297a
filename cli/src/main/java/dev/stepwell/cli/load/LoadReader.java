package dev.stepwell.cli.load;

import static java.util.Objects.requireNonNull;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.commit.Unfinished;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads how busy an installation is: group and offsets by asking, queueing from the results as they
 * come. Owned by one thread. It takes part in no group and commits nothing.
 */
public final class LoadReader implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** So many results are looked at; older ones of a busy window count for the rate no more. */
  private static final int MAX_SEEN = 100_000;

  private final String bootstrap;
  private final String group;
  private final Topics topics;
  private final long windowMs;
  private final Admin admin;
  private final Consumer<byte[], byte[]> results;
  private final Consumer<byte[], byte[]> requests;
  private final MessageCodec codec = new MessageCodec(128 << 20);
  private final Deque<Seen> seen = new ArrayDeque<>();

  private LoadReader(String bootstrap, String group, Topics topics, Duration window) {
    this.bootstrap = bootstrap;
    this.group = group;
    this.topics = topics;
    this.windowMs = window.toMillis();
    admin = Admin.create(settings(bootstrap));
    results = consumer(bootstrap);
    requests = consumer(bootstrap);
  }

  /**
   * Connects, and begins to look at results that came within the window.
   *
   * @throws CommandException if Kafka does not answer, or lacks the topics
   */
  public static LoadReader open(String bootstrap, String group, Topics topics, Duration window) {
    LoadReader reader;
    try {
      reader = new LoadReader(bootstrap, group, topics, window);
    } catch (KafkaException e) {
      throw failed(bootstrap, e);
    }
    try {
      reader.start();
      return reader;
    } catch (KafkaException e) {
      reader.close();
      throw failed(bootstrap, e);
    } catch (CommandException e) {
      reader.close();
      throw e;
    }
  }

  private void start() {
    assign(results, topics.results());
    assign(requests, topics.requests());
    long from = System.currentTimeMillis() - windowMs;
    Map<TopicPartition, Long> times = new HashMap<>();
    results.assignment().forEach(partition -> times.put(partition, from));
    Map<TopicPartition, Long> ends = results.endOffsets(results.assignment());
    results
        .offsetsForTimes(times)
        .forEach((partition, found) -> results.seek(partition, offset(found, ends.get(partition))));
  }

  private static long offset(@Nullable OffsetAndTimestamp found, @Nullable Long end) {
    return found != null ? found.offset() : end == null ? 0 : end;
  }

  private void assign(Consumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> all =
        consumer.partitionsFor(topic).stream()
            .map(each -> new TopicPartition(topic, each.partition()))
            .toList();
    if (all.isEmpty()) {
      throw new CommandException(
          "Kafka at %s lacks the topic %s: create it with `stepwell topics`"
              .formatted(bootstrap, topic));
    }
    consumer.assign(all);
  }

  /**
   * How busy it is now; blocks for some hundred milliseconds.
   *
   * @throws CommandException if Kafka does not answer
   */
  public Load read() throws InterruptedException {
    try {
      catchUp();
      Map<TopicPartition, OffsetAndMetadata> committed =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      long unanswered = 0;
      long oldestMs = 0;
      Map<TopicPartition, Long> ends = requests.endOffsets(requests.assignment());
      Map<TopicPartition, Long> starts = requests.beginningOffsets(requests.assignment());
      for (TopicPartition partition : requests.assignment()) {
        OffsetAndMetadata at = committed.get(partition);
        long start = starts.getOrDefault(partition, 0L);
        long position = at == null ? start : Math.max(start, at.offset());
        long end = ends.getOrDefault(partition, 0L);
        if (position < end) {
          unanswered += Unfinished.count(position, end, at == null ? "" : at.metadata());
          oldestMs = Math.max(oldestMs, age(partition, position));
        }
      }
      return load(unanswered, oldestMs);
    } catch (ExecutionException e) {
      throw failed(bootstrap, e.getCause() == null ? e : e.getCause());
    } catch (KafkaException e) {
      throw failed(bootstrap, e);
    }
  }

  private Load load(long unanswered, long oldestMs)
      throws ExecutionException, InterruptedException {
    double[] queued = seen.stream().mapToDouble(Seen::queuedMs).sorted().toArray();
    return new Load(
        members(),
        unanswered,
        oldestMs,
        queued.length * 1000.0 / windowMs,
        Load.Quantiles.of(queued),
        seen.stream().filter(Seen::infrastructure).count(),
        windowMs);
  }

  private int members() throws ExecutionException, InterruptedException {
    try {
      return requireNonNull(
              admin.describeConsumerGroups(List.of(group)).describedGroups().get(group))
          .get()
          .members()
          .size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        // No worker has ever been there.
        return 0;
      }
      throw e;
    }
  }

  /** Reads the results that are there by now, and forgets those that are too old. */
  private void catchUp() {
    Map<TopicPartition, Long> ends = results.endOffsets(results.assignment());
    long giveUpAtNs = System.nanoTime() + ANSWER.toNanos();
    while (behind(ends) && System.nanoTime() < giveUpAtNs) {
      for (ConsumerRecord<byte[], byte[]> record : results.poll(Duration.ofMillis(200))) {
        note(record);
      }
    }
    long oldest = System.currentTimeMillis() - windowMs;
    while (!seen.isEmpty() && (seen.peekFirst().atMs() < oldest || seen.size() > MAX_SEEN)) {
      seen.removeFirst();
    }
  }

  private boolean behind(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .anyMatch(end -> results.position(end.getKey()) < end.getValue());
  }

  private void note(ConsumerRecord<byte[], byte[]> record) {
    try {
      ExecutionResult result = codec.decodeResult(record.value());
      seen.addLast(
          new Seen(
              record.timestamp(),
              result.timings().queuedMs(),
              result.outcome() == Outcome.INFRASTRUCTURE));
    } catch (InvalidMessageException e) {
      // Of a newer version, or of somebody else: it says nothing about this load.
    }
  }

  /** How long ago the request at an offset was published. */
  private long age(TopicPartition partition, long offset) {
    requests.pause(requests.assignment());
    requests.resume(List.of(partition));
    requests.seek(partition, offset);
    for (ConsumerRecord<byte[], byte[]> record : requests.poll(Duration.ofMillis(500))) {
      if (record.partition() == partition.partition()) {
        return Math.max(0, System.currentTimeMillis() - record.timestamp());
      }
    }
    return 0;
  }

  private static Map<String, Object> settings(String bootstrap) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("client.id", "stepwell-load");
    settings.put("default.api.timeout.ms", Math.toIntExact(ANSWER.toMillis()));
    settings.put("request.timeout.ms", Math.toIntExact(ANSWER.toMillis()));
    return settings;
  }

  private static Consumer<byte[], byte[]> consumer(String bootstrap) {
    Map<String, Object> settings = settings(bootstrap);
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    settings.put("allow.auto.create.topics", "false");
    settings.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static CommandException failed(String bootstrap, Throwable cause) {
    return new CommandException(
        "Kafka at " + bootstrap + " does not tell its load: " + cause.getMessage(), cause);
  }

  /** Lets go of the connections. Not to be used afterwards. */
  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
    results.close();
    requests.close();
  }

  private record Seen(long atMs, double queuedMs, boolean infrastructure) {}
}
