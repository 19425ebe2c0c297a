package dev.stepwell.worker.archive;

import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.state.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the snapshots that the heads of sessions name, by going through the heads topic once.
 * Thread-safe: it keeps nothing between calls.
 *
 * <p>A session that has ended left a tombstone, but until compaction comes its earlier heads are
 * there.
 */
final class SessionHeads {
  private static final Logger log = LoggerFactory.getLogger(SessionHeads.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

  private final KafkaConnection kafka;
  private final String topic;
  private final MessageCodec codec = new MessageCodec();

  SessionHeads(KafkaConnection kafka) {
    this.kafka = kafka;
    this.topic = kafka.kafka().topics().heads();
  }

  /**
   * The snapshots that heads of these sessions have named, the earliest first. Sessions without any
   * are left out.
   */
  Map<String, List<Stored>> named(Set<String> sessionIds)
      throws ArchiveException, InterruptedException {
    Map<String, List<Stored>> found = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(kafka.bulkReader("archive-heads"))) {
      List<TopicPartition> sources = partitions(consumer);
      consumer.assign(sources);
      consumer.seekToBeginning(sources);
      Map<TopicPartition, Long> ends = consumer.endOffsets(sources);
      long giveUpAt = System.nanoTime() + PATIENCE_NANOS;
      while (!reached(consumer, ends)) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
          note(record, sessionIds, found);
        }
        if (!records.isEmpty()) {
          giveUpAt = System.nanoTime() + PATIENCE_NANOS;
        } else if (System.nanoTime() > giveUpAt) {
          throw silent(null);
        }
      }
    } catch (InterruptException e) {
      Thread.interrupted();
      InterruptedException interrupted = new InterruptedException("while reading " + topic);
      interrupted.initCause(e);
      throw interrupted;
    } catch (KafkaException e) {
      throw silent(e);
    }
    return found;
  }

  private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer)
      throws ArchiveException {
    List<TopicPartition> sources =
        consumer.partitionsFor(topic).stream()
            .map(each -> new TopicPartition(topic, each.partition()))
            .toList();
    if (sources.isEmpty()) {
      throw ArchiveException.permanent(
          "there is no topic %s at %s: is another prefix of topics in use there?"
              .formatted(topic, kafka.kafka().bootstrapServers()),
          null);
    }
    return sources;
  }

  private static boolean reached(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    Collection<TopicPartition> done = new ArrayList<>();
    ends.forEach(
        (source, end) -> {
          if (consumer.position(source) >= end) {
            done.add(source);
          }
        });
    // What is read to its end must not make the others wait, nor be read further.
    consumer.pause(done);
    return done.size() == ends.size();
  }

  private void note(
      ConsumerRecord<byte[], byte[]> record,
      Set<String> sessionIds,
      Map<String, List<Stored>> found) {
    if (record.key() == null || record.value() == null) {
      return;
    }
    String sessionId = new String(record.key(), StandardCharsets.UTF_8);
    if (!sessionIds.contains(sessionId)) {
      return;
    }
    try {
      Head head = codec.decodeHead(record.value());
      if (head.snapshot() != null) {
        found
            .computeIfAbsent(sessionId, any -> new ArrayList<>())
            .add(References.stored(head.snapshot()));
      }
    } catch (InvalidMessageException e) {
      log.warn("a head of session {} is unreadable, and passed over", sessionId, e);
    }
  }

  private ArchiveException silent(@Nullable Throwable cause) {
    return new ArchiveException(
        "the sessions' heads can't be read from topic %s at %s%s: is the broker there?"
            .formatted(
                topic,
                kafka.kafka().bootstrapServers(),
                cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause,
        false);
  }
}
