package dev.stepwell.cli.run;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The Kafka clients that a courier reads and asks by, found to work; immutable. */
record CourierConnection(
    CourierSettings settings,
    Topics topics,
    int partitions,
    Admin admin,
    Consumer<String, byte[]> results)
    implements AutoCloseable {

  static CourierConnection open(CourierSettings settings, Topics topics) {
    try {
      Admin admin = Admin.create(settings.admin());
      try {
        return new CourierConnection(
            settings,
            topics,
            partitions(settings, topics, admin),
            admin,
            consumer(settings, "read_committed"));
      } catch (RuntimeException e) {
        admin.close();
        throw e;
      }
    } catch (KafkaException e) {
      throw failed(settings.bootstrap(), e);
    }
  }

  /** Asks for the topics by name, because no client can tell a missing one from a dead broker. */
  private static int partitions(CourierSettings settings, Topics topics, Admin admin) {
    List<String> names = List.of(topics.requests(), topics.results());
    try {
      Map<String, TopicDescription> found = admin.describeTopics(names).allTopicNames().get();
      int requests = partitions(found, topics.requests());
      if (requests != partitions(found, topics.results())) {
        throw new CommandException(
            "the topics %s on Kafka at %s don't have the same number of partitions"
                .formatted(names, settings.bootstrap()));
      }
      return requests;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof UnknownTopicOrPartitionException
          || cause instanceof InvalidTopicException) {
        throw new CommandException(
            "Kafka at %s lacks one of the topics %s: create them with `stepwell topics`"
                .formatted(settings.bootstrap(), names),
            cause);
      }
      throw failed(settings.bootstrap(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(settings.bootstrap(), e);
    }
  }

  private static int partitions(Map<String, TopicDescription> found, String topic) {
    return Objects.requireNonNull(found.get(topic), topic).partitions().size();
  }

  private static Consumer<String, byte[]> consumer(CourierSettings settings, String isolation) {
    return new KafkaConsumer<>(
        settings.consumer(isolation), new StringDeserializer(), new ByteArrayDeserializer());
  }

  String bootstrap() {
    return settings.bootstrap();
  }

  /** Where the topics end now: a run that begins has nothing before. */
  Checkpoint ends() {
    return new Checkpoint(ends(topics.requests()), ends(topics.results()));
  }

  private List<Long> ends(String topic) {
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(each -> new TopicPartition(topic, each)).toList();
    Map<TopicPartition, Long> ends = results.endOffsets(all);
    List<Long> list = new ArrayList<>();
    all.forEach(each -> list.add(Objects.requireNonNull(ends.get(each))));
    return list;
  }

  /** What the run has published behind the checkpoint. */
  IdSet published(Checkpoint from, String keyPrefix, Predicate<String> finished) {
    if (from.requests().size() != partitions || from.results().size() != partitions) {
      throw new CommandException(
          "the topics have %d partitions, and had %d when the run began: add --restart to drop it"
              .formatted(partitions, from.requests().size()));
    }
    try (Consumer<String, byte[]> requests = consumer(settings, "read_uncommitted")) {
      return EarlierRequests.read(
          requests, topics.requests(), from.requests(), keyPrefix, finished);
    }
  }

  static CommandException failed(String bootstrap, Throwable cause) {
    Throwable inner = cause;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return new CommandException(
        "no Kafka answers at %s: %s".formatted(bootstrap, inner.getMessage()), cause);
  }

  @Override
  public void close() {
    results.close();
    admin.close();
  }
}
