package dev.stepwell.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Carries messages over Kafka; thread-safe. */
final class KafkaTransport implements Transport {
  private static final Duration LAST_SENDS = Duration.ofSeconds(5);

  private final ClientOptions options;
  private final Producer<String, byte[]> producer;

  /** Written once, by {@link #open}, before anything else can use this transport. */
  private @Nullable ReplyReader reader;

  private KafkaTransport(ClientOptions options, Producer<String, byte[]> producer) {
    this.options = options;
    this.producer = producer;
  }

  /** Connects nothing yet, but refuses what no connection can be made with. */
  static KafkaTransport create(ClientOptions options) {
    try {
      return new KafkaTransport(
          options,
          new KafkaProducer<>(
              KafkaSettings.producer(options), new StringSerializer(), new ByteArraySerializer()));
    } catch (KafkaException e) {
      throw unreachable(options, e);
    }
  }

  @Override
  public void open(ReplyListener listener) {
    int partitions = partitionsOfResults();
    reader = ReplyReader.start(options, partitions, listener);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The callback is told what the future would be.
  public void send(OutgoingMessage message, Consumer<StepwellException> onFailure) {
    try {
      producer.send(
          new ProducerRecord<>(message.topic(), message.key(), message.value()),
          (metadata, failure) -> {
            if (failure != null) {
              onFailure.accept(explained(failure, message));
            }
          });
    } catch (IllegalStateException e) {
      throw new ClientClosedException("the client is closed", e);
    } catch (KafkaException e) {
      throw explained(e, message);
    }
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
    producer.close(LAST_SENDS);
  }

  /**
   * Asks for the topics by name, because a producer can't tell a missing one from a dead broker.
   */
  private int partitionsOfResults() {
    List<String> topics =
        List.of(options.topics().requests(), options.topics().control(), options.resultTopic());
    try (Admin admin = Admin.create(KafkaSettings.admin(options))) {
      Map<String, TopicDescription> descriptions =
          admin.describeTopics(topics).allTopicNames().get();
      return Objects.requireNonNull(descriptions.get(options.resultTopic())).partitions().size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        throw new TopicMissingException(
            "Kafka at %s lacks one of the topics %s: create them with `stepwell topics`"
                .formatted(options.bootstrap(), topics),
            e.getCause());
      }
      throw unreachable(options, e.getCause());
    } catch (KafkaException e) {
      throw unreachable(options, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(options, e);
    }
  }

  static BrokerUnreachableException unreachable(ClientOptions options, @Nullable Throwable cause) {
    return new BrokerUnreachableException(
        "no Kafka answers at %s within %d ms: %s"
            .formatted(
                options.bootstrap(),
                options.connectTimeout().toMillis(),
                cause == null ? "no reason given" : innermost(cause).getMessage()),
        cause);
  }

  private StepwellException explained(Exception failure, OutgoingMessage message) {
    if (failure instanceof RecordTooLargeException) {
      return new MessageTooLargeException(
          message.value().length, options.maxRequestBytes(), failure);
    }
    return new BrokerUnreachableException(
        "Kafka at %s did not confirm the message within %d ms, so it may or may not be published: %s"
            .formatted(
                options.bootstrap(), options.submitTimeout().toMillis(), failure.getMessage()),
        failure);
  }

  private static Throwable innermost(Throwable cause) {
    Throwable inner = cause;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
