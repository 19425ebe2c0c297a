package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.config.KafkaConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads back what a partition's earlier owners committed. Thread-safe: it keeps nothing between
 * calls.
 *
 * <p>To be called only once the earlier owner is fenced, or it may still commit behind our back.
 */
final class PartitionRestore {
  private static final Logger log = LoggerFactory.getLogger(PartitionRestore.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConnection kafka;
  private final Topics topics;
  private final MessageCodec codec;
  private final Admin admin;

  PartitionRestore(KafkaConnection kafka, Topics topics, MessageCodec codec, Admin admin) {
    this.kafka = kafka;
    this.topics = topics;
    this.codec = codec;
    this.admin = admin;
  }

  /** The position to go on from, and what its metadata says. */
  record Committed(long position, OffsetMetadata metadata) {}

  Committed committed(int partition) throws InterruptedException {
    TopicPartition requests = new TopicPartition(topics.requests(), partition);
    OffsetAndMetadata found = committedOffset(requests);
    if (found == null) {
      long beginning = beginning(requests);
      return new Committed(beginning, OffsetMetadata.none(beginning));
    }
    return new Committed(found.offset(), OffsetMetadata.decode(found.offset(), found.metadata()));
  }

  private @Nullable OffsetAndMetadata committedOffset(TopicPartition partition)
      throws InterruptedException {
    try {
      // Stable: an open transaction of the earlier owner must be over before its offset is
      // believed.
      return admin
          .listConsumerGroupOffsets(
              Map.of(
                  kafka.kafka().groupId(),
                  new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition))),
              new ListConsumerGroupOffsetsOptions().requireStable(true))
          .partitionsToOffsetAndMetadata(kafka.kafka().groupId())
          .get()
          .get(partition);
    } catch (ExecutionException e) {
      throw new KafkaException("can't read the committed offset of " + partition, e.getCause());
    }
  }

  private long beginning(TopicPartition partition) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(kafka.reader("beginning-" + partition.partition()))) {
      return consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }
  }

  /** Reads the heads of all sessions of the partition. */
  Map<String, Head> heads(int partition) {
    TopicPartition source = new TopicPartition(topics.heads(), partition);
    Map<String, Head> heads = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(kafka.bulkReader("heads-" + partition))) {
      consumer.assign(List.of(source));
      consumer.seekToBeginning(List.of(source));
      long end = consumer.endOffsets(List.of(source)).getOrDefault(source, 0L);
      while (consumer.position(source) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          apply(record, heads);
        }
      }
    }
    return heads;
  }

  private void apply(ConsumerRecord<byte[], byte[]> record, Map<String, Head> heads) {
    if (record.key() == null) {
      return;
    }
    String sessionId = new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      heads.remove(sessionId);
      return;
    }
    try {
      heads.put(sessionId, codec.decodeHead(record.value()));
    } catch (InvalidMessageException e) {
      // One unreadable head must not keep the partition's other sessions from being served.
      log.error("the head of session {} is unreadable, it starts anew", sessionId, e);
    }
  }
}
