package dev.stepwell.cli.run;

import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.protocol.codec.RequestSalvage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is committed to the result topic on a thread of its own, which owns the consumer, and
 * puts what belongs to the run into its mailbox. Everybody else may only {@link #close} it.
 */
final class ResultReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ResultReader.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration END_LIMIT = Duration.ofSeconds(5);

  /** Results are as large as brokers allow, which is more than a request may be. */
  private static final int MAX_RESULT_BYTES = 128 << 20;

  private final MessageCodec codec = new MessageCodec(MAX_RESULT_BYTES);
  private final Consumer<String, byte[]> consumer;
  private final String keyPrefix;
  private final Mailbox mailbox;
  private final Floors floors;
  private final Runnable moved;
  private final Thread thread = new Thread(this::read, "courier reads results");

  private ResultReader(
      Consumer<String, byte[]> consumer,
      String keyPrefix,
      Mailbox mailbox,
      Floors floors,
      Runnable moved) {
    this.consumer = consumer;
    this.keyPrefix = keyPrefix;
    this.mailbox = mailbox;
    this.floors = floors;
    this.moved = moved;
    thread.setDaemon(true);
  }

  /**
   * Starts to read.
   *
   * @param consumer becomes the reader's own
   * @param from the offsets to begin at
   * @param keyPrefix what the keys of the run's results begin with
   * @param moved called when something has been read
   */
  static ResultReader start(
      Consumer<String, byte[]> consumer,
      String topic,
      List<Long> from,
      String keyPrefix,
      Mailbox mailbox,
      Floors floors,
      Runnable moved) {
    List<TopicPartition> all =
        IntStream.range(0, from.size()).mapToObj(each -> new TopicPartition(topic, each)).toList();
    consumer.assign(all);
    for (int partition = 0; partition < all.size(); partition++) {
      consumer.seek(all.get(partition), from.get(partition));
    }
    ResultReader reader = new ResultReader(consumer, keyPrefix, mailbox, floors, moved);
    reader.thread.start();
    return reader;
  }

  private void read() {
    try (consumer) {
      while (true) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          moved.run();
          handOn(record);
        }
      }
    } catch (WakeupException e) {
      LOG.debug("reading results ends: the courier closes");
    } catch (RuntimeException e) {
      LOG.error("reading results ends", e);
      mailbox.failAll(
          new CourierException(
              CourierException.Kind.BROKEN,
              "results can't be read any more; what was sent may still run: " + e.getMessage(),
              e));
    }
  }

  private void handOn(ConsumerRecord<String, byte[]> record) {
    // Whoever sends from now on need not look below; told first, so that it can't be too far.
    if (record.key() != null && record.value() != null && record.key().startsWith(keyPrefix)) {
      Mailbox.Arrival arrival = arrival(record);
      if (arrival != null) {
        mailbox.arrive(arrival);
      }
    }
    floors.reach(record.partition(), record.offset() + 1);
  }

  private Mailbox.@Nullable Arrival arrival(ConsumerRecord<String, byte[]> record) {
    try {
      var result = codec.decodeResult(record.value());
      return new Mailbox.Arrival(result.requestId(), result, record.timestamp(), null);
    } catch (InvalidMessageException e) {
      String id = RequestSalvage.from(record.value()).requestId();
      return id == null
          ? null
          : new Mailbox.Arrival(
              id,
              null,
              record.timestamp(),
              new CourierException(
                  CourierException.Kind.UNREADABLE,
                  "the result of request " + id + " can't be read: " + e.getMessage(),
                  e));
    }
  }

  /** Ends the reading and waits for its end. */
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
