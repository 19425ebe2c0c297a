package dev.stepwell.cli.local;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates the topics with the settings that they need; immutable.
 *
 * @param topics their names
 * @param partitions partitions of each
 * @param replication copies of each, 0 for what the brokers are set to
 */
public record TopicCreation(Topics topics, int partitions, short replication) {
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final long POLL_MS = 50;
  private static final String MAX_MESSAGE_BYTES = Integer.toString(64 << 20);

  /** From this many copies on, two of them must have a record before it counts. */
  private static final int COPIES_WORTH_WAITING_FOR = 3;

  /** Checks the bounds. */
  public TopicCreation {
    if (partitions < 1) {
      throw new CommandException("--partitions is " + partitions + ", must be at least 1");
    }
    if (replication < 0) {
      throw new CommandException("--replication is " + replication + ", must be at least 0");
    }
  }

  /**
   * Creates those that are not there, and waits until they can be written to. Kafka confirms topics
   * a little before their partitions' leaders know of them, and what is sent meanwhile may be lost:
   * where a later batch arrives before an earlier one is tried again, that one is never taken
   * (KAFKA-15591).
   *
   * @param bootstrap where Kafka is
   * @return the names of those that were created
   * @throws CommandException if Kafka does not answer, or refuses
   */
  public List<String> create(String bootstrap) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "default.api.timeout.ms",
            Math.toIntExact(ANSWER.toMillis()),
            "request.timeout.ms",
            Math.toIntExact(ANSWER.toMillis()));
    try (Admin admin = Admin.create(settings)) {
      List<String> created =
          created(admin.createTopics(topics.all().stream().map(this::topic).toList()));
      awaitLeaders(admin, created);
      return created;
    } catch (ExecutionException e) {
      throw failed(bootstrap, e.getCause() == null ? e : e.getCause());
    } catch (KafkaException e) {
      throw failed(bootstrap, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(bootstrap, e);
    }
  }

  private static List<String> created(CreateTopicsResult result)
      throws ExecutionException, InterruptedException {
    List<String> created = new ArrayList<>();
    for (Map.Entry<String, KafkaFuture<Void>> topic : result.values().entrySet()) {
      try {
        topic.getValue().get();
        created.add(topic.getKey());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
    }
    created.sort(null);
    return created;
  }

  private void awaitLeaders(Admin admin, List<String> names)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> each = new HashMap<>();
    for (String name : names) {
      IntStream.range(0, partitions)
          .forEach(partition -> each.put(new TopicPartition(name, partition), OffsetSpec.latest()));
    }
    long end = System.nanoTime() + ANSWER.toNanos();
    boolean known = false;
    while (!known) {
      try {
        admin.listOffsets(each).all().get();
        known = true;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AuthorizationException) {
          return;
        }
        if (!(e.getCause() instanceof RetriableException) || System.nanoTime() - end > 0) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      }
    }
  }

  private NewTopic topic(String name) {
    return new NewTopic(
            name,
            Optional.of(partitions),
            replication == 0 ? Optional.empty() : Optional.of(replication))
        .configs(settings(name));
  }

  private Map<String, String> settings(String name) {
    Map<String, String> settings = new HashMap<>();
    settings.put("max.message.bytes", MAX_MESSAGE_BYTES);
    if (replication >= COPIES_WORTH_WAITING_FOR) {
      settings.put("min.insync.replicas", "2");
    }
    if (name.equals(topics.heads())) {
      settings.putAll(headSettings());
    } else {
      settings.put("cleanup.policy", "delete");
      settings.put("retention.ms", millis(retention(name)));
    }
    return settings;
  }

  private Duration retention(String name) {
    if (name.equals(topics.control())) {
      // Whoever cancels wants it now.
      return Duration.ofDays(1);
    }
    // For blobs this is how long a session lives that no step carries on.
    return name.equals(topics.deadLetters()) ? Duration.ofDays(30) : Duration.ofDays(7);
  }

  /** Compacted soon, because a worker reads all of a partition's heads before it runs a step. */
  private static Map<String, String> headSettings() {
    return Map.of(
        "cleanup.policy", "compact",
        "compression.type", "lz4",
        "segment.bytes", Integer.toString(64 << 20),
        "segment.ms", millis(Duration.ofHours(1)),
        "min.cleanable.dirty.ratio", "0.1",
        "max.compaction.lag.ms", millis(Duration.ofHours(1)),
        "delete.retention.ms", millis(Duration.ofDays(1)));
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  private static CommandException failed(String bootstrap, Throwable cause) {
    return new CommandException(
        "the topics can't be created on Kafka at " + bootstrap + ": " + cause.getMessage(), cause);
  }
}
