package dev.stepwell.worker.state;

import dev.stepwell.worker.config.KafkaConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records by their offsets. Used by one thread at a time.
 *
 * <p>It has two consumers, each made when it is first needed: one that takes as little as the
 * broker gives, for a record here and there, and one that takes much, for long runs.
 */
final class RecordReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecordReader.class);

  private static final Duration WARMING = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

  /** From this size on a run is read in large bites; a few are fetched before the first comes. */
  private static final long LONG_RUN = 1 << 20;

  /** Takes records in order; a value that is missing is empty. */
  @FunctionalInterface
  interface Visitor {
    void visit(long offset, byte[] value) throws SnapshotException, IOException;
  }

  private final KafkaConnection kafka;
  private final String topic;
  private final int number;
  private @Nullable KafkaConsumer<byte[], byte[]> forFew;
  private @Nullable KafkaConsumer<byte[], byte[]> forMany;

  RecordReader(KafkaConnection kafka, String topic, int number) {
    this.kafka = kafka;
    this.topic = topic;
    this.number = number;
  }

  /** Connects the consumer for single records, as far as that is possible now. */
  void warm() throws InterruptedException {
    try {
      consumer(0).partitionsFor(topic, WARMING);
    } catch (InterruptException e) {
      Thread.interrupted();
      throw interrupted(e);
    } catch (KafkaException e) {
      log.debug("{} can't be looked at yet", topic, e);
    }
  }

  /**
   * Reads the records from {@code first} up to {@code end}, those that are there.
   *
   * @param expectedBytes about how many they are
   * @throws SnapshotException if they are gone, or don't come in time
   * @throws IOException what the visitor threw
   */
  void read(int partition, long first, long end, long expectedBytes, Visitor visitor)
      throws SnapshotException, IOException, InterruptedException {
    TopicPartition source = new TopicPartition(topic, partition);
    boolean done = false;
    try {
      KafkaConsumer<byte[], byte[]> consumer = consumer(expectedBytes);
      try {
        scan(consumer, source, first, end, visitor);
      } catch (OffsetOutOfRangeException | NoOffsetForPartitionException e) {
        throw outOfRange(consumer, source, first, e);
      }
      done = true;
    } catch (InterruptException e) {
      Thread.interrupted();
      throw interrupted(e);
    } catch (KafkaException e) {
      throw new SnapshotException("the blob topic can't be read: " + e.getMessage(), e, false);
    } finally {
      if (!done) {
        close();
      }
    }
  }

  private static InterruptedException interrupted(InterruptException cause) {
    InterruptedException interrupted = new InterruptedException("while reading the blob topic");
    interrupted.initCause(cause);
    return interrupted;
  }

  private static void scan(
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition source,
      long first,
      long end,
      Visitor visitor)
      throws SnapshotException, IOException {
    consumer.assign(List.of(source));
    consumer.seek(source, first);
    long next = first;
    long giveUpAt = System.nanoTime() + PATIENCE_NANOS;
    while (next < end) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        next = record.offset() + 1;
        if (record.offset() >= end) {
          break;
        }
        visitor.visit(record.offset(), record.value() == null ? new byte[0] : record.value());
      }
      if (!records.isEmpty()) {
        giveUpAt = System.nanoTime() + PATIENCE_NANOS;
      } else if (consumer.position(source) >= end) {
        next = end;
      } else if (System.nanoTime() > giveUpAt) {
        throw new SnapshotException(
            "the record at offset %d of partition %d did not come in time"
                .formatted(next, source.partition()),
            null,
            false);
      }
    }
  }

  private static SnapshotException outOfRange(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition source, long offset, Exception cause) {
    long begin = consumer.beginningOffsets(List.of(source)).getOrDefault(source, 0L);
    String message =
        offset < begin
            ? "a piece of the session's state is gone: the session was idle for longer than the"
                + " blob topic keeps its records. Start a new session, or raise the topic's"
                + " retention.ms"
            : "a piece of the session's state is gone: the blob topic ends before offset %d of"
                    .formatted(offset)
                + " partition %d. Was it made anew?".formatted(source.partition());
    return new SnapshotException(message, cause, true);
  }

  private KafkaConsumer<byte[], byte[]> consumer(long expectedBytes) {
    KafkaConsumer<byte[], byte[]> consumer = expectedBytes < LONG_RUN ? forFew : forMany;
    if (consumer != null) {
      return consumer;
    }
    if (expectedBytes < LONG_RUN) {
      consumer = new KafkaConsumer<>(kafka.pieceReader("pieces-" + number));
      forFew = consumer;
    } else {
      consumer = new KafkaConsumer<>(kafka.bulkPieceReader("many-pieces-" + number));
      forMany = consumer;
    }
    return consumer;
  }

  /** Closes the consumers; they are made again when needed. */
  @Override
  public void close() {
    close(forFew);
    close(forMany);
    forFew = null;
    forMany = null;
  }

  private static void close(@Nullable KafkaConsumer<byte[], byte[]> consumer) {
    if (consumer != null) {
      // An interruption must not keep it from being closed.
      boolean interrupted = Thread.interrupted();
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
