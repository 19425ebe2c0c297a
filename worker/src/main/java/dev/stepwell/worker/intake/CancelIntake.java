package dev.stepwell.worker.intake;

import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.execution.Cancellations;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads cancels. Every worker reads all of them, outside the group: which worker has the request is
 * not known, and one that has it not only remembers the id for a while. The thread {@code cancels}
 * owns the consumer.
 */
public final class CancelIntake {
  private static final Logger log = LoggerFactory.getLogger(CancelIntake.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  /** A worker that has just started may still get requests that were cancelled before. */
  private static final Duration LOOK_BACK = Duration.ofMinutes(10);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final MessageCodec codec;
  private final Cancellations cancellations;
  private final Clock clock;
  private final List<TopicPartition> partitions;
  private final Thread thread = new Thread(this::run, "cancels");
  private volatile boolean stopping;

  /**
   * @param partitions how many partitions the control topic has
   */
  public CancelIntake(
      IntakeSettings settings,
      int partitions,
      MessageCodec codec,
      Cancellations cancellations,
      Clock clock) {
    this.consumer = new KafkaConsumer<>(settings.kafka().reader("cancels"));
    this.codec = codec;
    this.cancellations = cancellations;
    this.clock = clock;
    this.partitions =
        IntStream.range(0, partitions)
            .mapToObj(number -> new TopicPartition(settings.topics().control(), number))
            .toList();
  }

  /** Starts the thread. */
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends the thread and waits for it. */
  public void close() throws InterruptedException {
    stopping = true;
    consumer.wakeup();
    thread.join(POLL.toMillis() * 5);
  }

  private void run() {
    try (consumer) {
      consumer.assign(partitions);
      lookBack();
      while (!stopping) {
        pollOnce();
      }
    } catch (WakeupException e) {
      log.trace("woken up to stop", e);
    }
  }

  private void lookBack() {
    long sinceMs = clock.millis() - LOOK_BACK.toMillis();
    Map<TopicPartition, Long> since =
        partitions.stream().collect(Collectors.toMap(Function.identity(), each -> sinceMs));
    consumer.seekToEnd(partitions);
    consumer
        .offsetsForTimes(since)
        .forEach(
            (partition, found) -> {
              if (found != null) {
                consumer.seek(partition, found.offset());
              }
            });
  }

  private void pollOnce() {
    try {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        apply(record);
      }
    } catch (WakeupException e) {
      throw e;
    } catch (KafkaException e) {
      log.warn("reading cancels failed, trying again", e);
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    try {
      cancellations.cancel(codec.decodeCancel(record.value()).requestId());
    } catch (InvalidMessageException e) {
      // Nobody waits for the answer to a cancel, so there is nobody to tell.
      log.warn(
          "a cancel at {} offset {} is no cancel: {}",
          record.partition(),
          record.offset(),
          e.getMessage());
    }
  }
}
