package dev.stepwell.client;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is committed to the result topic and hands it on, on a thread of its own, which owns
 * the consumer. Everybody else may only {@link #close} it.
 */
final class ReplyReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyReader.class);

  /** How long a quiet topic keeps the thread in one call; closing wakes it. */
  private static final Duration POLL = Duration.ofSeconds(1);

  private static final Duration END_LIMIT = Duration.ofSeconds(5);

  private final Consumer<String, byte[]> consumer;
  private final Transport.ReplyListener listener;
  private final Thread thread;

  private ReplyReader(Consumer<String, byte[]> consumer, Transport.ReplyListener listener) {
    this.consumer = consumer;
    this.listener = listener;
    thread = new Thread(this::read, "stepwell-client reads results");
    thread.setDaemon(true);
  }

  /**
   * Starts to read at the end of every partition of the result topic. When it returns, the end is
   * known, so that no later result is missed.
   */
  static ReplyReader start(
      ClientOptions options, int partitions, Transport.ReplyListener listener) {
    Consumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            KafkaSettings.consumer(options), new StringDeserializer(), new ByteArrayDeserializer());
    try {
      List<TopicPartition> all =
          IntStream.range(0, partitions)
              .mapToObj(partition -> new TopicPartition(options.resultTopic(), partition))
              .toList();
      consumer.assign(all);
      consumer.seekToEnd(all);
      // Seeking is lazy; asking for the position is what does it.
      all.forEach(consumer::position);
    } catch (KafkaException e) {
      consumer.close();
      throw KafkaTransport.unreachable(options, e);
    }
    ReplyReader reader = new ReplyReader(consumer, listener);
    reader.thread.start();
    return reader;
  }

  private void read() {
    try (consumer) {
      while (true) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          handOn(record);
        }
      }
    } catch (WakeupException e) {
      LOG.debug("reading results ends: the client closes");
    } catch (RuntimeException e) {
      LOG.error("reading results ends", e);
      listener.broken(
          new BrokerUnreachableException(
              "results can't be read any more; what was sent may still run: " + e.getMessage(), e));
    }
  }

  private void handOn(ConsumerRecord<String, byte[]> record) {
    if (record.key() != null && record.value() != null && listener.wants(record.key())) {
      listener.reply(record.value());
    }
  }

  /** Ends the reading and waits for its end, but not on the reader's own thread. */
  @Override
  public void close() {
    consumer.wakeup();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(END_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
