package dev.stepwell.worker;

import dev.stepwell.worker.config.WorkerConfig;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Refuses to start on a Kafka that can't keep the promises: one that is too old, or without the
 * topics. Stateless.
 */
final class TopicCheck {
  /** From this version on a transaction that is cut off can't spill into the next one. */
  private static final short TRANSACTION_VERSION = 2;

  private static final long ANSWER_SECONDS = 20;

  private TopicCheck() {}

  /**
   * @return how many partitions every topic has
   * @throws WorkerStartException saying what is wrong and which command mends it
   */
  static int partitions(Admin admin, WorkerConfig.Kafka kafka) throws InterruptedException {
    checkTransactionVersion(admin, kafka);
    Set<String> names = new LinkedHashSet<>(kafka.topics().all());
    names.addAll(kafka.allowedReplyTopics());
    Map<Integer, List<String>> byCount = new TreeMap<>();
    List<String> missing = new ArrayList<>();
    Map<String, KafkaFuture<TopicDescription>> described =
        admin.describeTopics(names).topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic : described.entrySet()) {
      try {
        int count = answer(topic.getValue(), kafka).partitions().size();
        byCount.computeIfAbsent(count, any -> new ArrayList<>()).add(topic.getKey());
      } catch (UnknownTopicOrPartitionException e) {
        missing.add(topic.getKey());
      }
    }
    if (!missing.isEmpty()) {
      throw new WorkerStartException(
          "topics are missing: "
              + String.join(", ", missing)
              + "; create them with: stepwell topics --bootstrap "
              + kafka.bootstrapServers(),
          null);
    }
    if (byCount.size() > 1) {
      throw new WorkerStartException(
          "all topics must have the same number of partitions, but these differ: " + byCount, null);
    }
    return byCount.keySet().iterator().next();
  }

  /**
   * @return how long the blob topic keeps a record, milliseconds; -1 for ever
   * @throws WorkerStartException if Kafka does not say
   */
  static long blobRetentionMs(Admin admin, WorkerConfig.Kafka kafka) throws InterruptedException {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, kafka.topics().blobs());
    ConfigEntry retention =
        answer(admin.describeConfigs(List.of(topic)).all(), kafka)
            .values()
            .iterator()
            .next()
            .get(TopicConfig.RETENTION_MS_CONFIG);
    return Long.parseLong(retention.value());
  }

  private static void checkTransactionVersion(Admin admin, WorkerConfig.Kafka kafka)
      throws InterruptedException {
    FinalizedVersionRange found =
        answer(admin.describeFeatures().featureMetadata(), kafka)
            .finalizedFeatures()
            .get("transaction.version");
    short version = found == null ? 0 : found.maxVersionLevel();
    if (version < TRANSACTION_VERSION) {
      throw new WorkerStartException(
          "the Kafka cluster's transaction.version is "
              + version
              + ", Stepwell needs at least "
              + TRANSACTION_VERSION
              + ": use Apache Kafka 4.0 or newer, and upgrade the feature with"
              + " kafka-features.sh --feature transaction.version=2",
          null);
    }
  }

  private static <T> T answer(KafkaFuture<T> future, WorkerConfig.Kafka kafka)
      throws InterruptedException {
    try {
      return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw unreachable(kafka, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException unknown) {
        throw unknown;
      }
      throw unreachable(kafka, e);
    }
  }

  private static WorkerStartException unreachable(WorkerConfig.Kafka kafka, Throwable cause) {
    return new WorkerStartException(
        "no Kafka broker answers at "
            + kafka.bootstrapServers()
            + " (setting bootstrap.servers): "
            + cause.getMessage(),
        cause);
  }
}
