package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.snapshot.SnapshotStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The transactional producer of one partition. Not thread-safe: owned by the partition's commit
 * thread.
 */
final class PartitionProducer implements AutoCloseable {
  private final int partition;
  private final Topics topics;
  private final MessageCodec codec;
  private final SnapshotStore snapshots;
  private final Semaphore commitGate;
  private final MissingEnds missingEnds;
  private final ConsumerGroupMetadata group;
  private final String transactionalId;
  private final KafkaProducer<byte[], byte[]> producer;
  private final SnapshotWriter snapshotWriter;

  /**
   * @param group the group's metadata as it was when the partition was assigned. It must not be a
   *     later one: the broker fences by it, and with a later one a worker that has lost the
   *     partition could still commit.
   * @param commitGate bounds how many partitions commit at once, so that under load batches grow
   *     instead of the number of transactions
   * @param missingEnds finds what a killed broker has left
   */
  PartitionProducer(
      int partition,
      ConsumerGroupMetadata group,
      CommitSettings settings,
      Semaphore commitGate,
      MissingEnds missingEnds) {
    this.partition = partition;
    this.group = group;
    this.topics = settings.topics();
    this.codec = settings.codec();
    this.snapshots = settings.snapshots();
    this.commitGate = commitGate;
    this.missingEnds = missingEnds;
    Properties properties = settings.kafka().transactional(partition);
    this.transactionalId = properties.getProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    this.producer = new KafkaProducer<>(properties);
    this.snapshotWriter =
        new SnapshotWriter(producer, topics.blobs(), partition, Clock.systemUTC());
  }

  /**
   * Ends the transaction that an earlier owner left open, also where Kafka has failed to, and keeps
   * it from starting another.
   *
   * @throws KafkaException if that can't be done now
   */
  void fenceEarlierOwner() throws InterruptedException {
    // Asked first: once its id is fenced, the coordinator has forgotten how it ended.
    Optional<MissingEnds.Last> last = missingEnds.last(transactionalId);
    producer.initTransactions();
    if (last.isPresent()) {
      missingEnds.write(last.get(), partition, producer, group);
    }
  }

  /**
   * Publishes the answers and commits the offset, all or nothing.
   *
   * @return the answers with their heads as written
   * @throws KafkaException if the transaction was not, or possibly not, committed
   */
  List<Answer> commit(List<Answer> answers, long position, OffsetMetadata metadata)
      throws InterruptedException {
    producer.beginTransaction();
    SnapshotWriter.Written written = snapshotWriter.write(answers);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (Answer answer : written.answers()) {
      sent.addAll(send(answer));
    }
    producer.sendOffsetsToTransaction(
        Map.of(
            new TopicPartition(topics.requests(), partition),
            new OffsetAndMetadata(position, metadata.encode(position))),
        group);
    commitGate.acquire();
    try {
      producer.commitTransaction();
    } finally {
      commitGate.release();
    }
    for (Future<RecordMetadata> future : sent) {
      SnapshotWriter.await(future);
    }
    written.snapshots().forEach(snapshots::keep);
    return written.answers();
  }

  private List<Future<RecordMetadata>> send(Answer answer) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (Outgoing outgoing : answer.records()) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(outgoing.topic(), partition, outgoing.key(), outgoing.value());
      outgoing.headers().forEach((name, value) -> record.headers().add(name, value));
      sent.add(producer.send(record));
    }
    Answer.SessionAdvance session = answer.session();
    if (session != null) {
      byte[] key = session.sessionId().getBytes(StandardCharsets.UTF_8);
      byte[] head = session.head() == null ? null : codec.encode(session.head());
      sent.add(producer.send(new ProducerRecord<>(topics.heads(), partition, key, head)));
    }
    return sent;
  }

  /** Lets go at once; a transaction still open is ended by the next owner. */
  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
