package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
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
  private final int pieceBytes;
  private final Semaphore commitGate;
  private final ConsumerGroupMetadata group;
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * @param group the group's metadata as it was when the partition was assigned. It must not be a
   *     later one: the broker fences by it, and with a later one a worker that has lost the
   *     partition could still commit.
   * @param commitGate bounds how many partitions commit at once, so that under load batches grow
   *     instead of the number of transactions
   */
  PartitionProducer(
      int partition, ConsumerGroupMetadata group, CommitSettings settings, Semaphore commitGate) {
    this.partition = partition;
    this.group = group;
    this.topics = settings.topics();
    this.codec = settings.codec();
    this.pieceBytes = settings.pieceBytes();
    this.commitGate = commitGate;
    this.producer = new KafkaProducer<>(settings.kafka().transactional(partition));
  }

  /** Ends the transaction that an earlier owner left open, and keeps it from starting another. */
  void fenceEarlierOwner() {
    producer.initTransactions();
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
    List<Answer> placed = placeSnapshots(answers);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (Answer answer : placed) {
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
      await(future);
    }
    return placed;
  }

  /** Pieces go first, because the heads that follow name the offsets that the pieces got. */
  private List<Answer> placeSnapshots(List<Answer> answers) throws InterruptedException {
    List<List<Future<RecordMetadata>>> pieces = new ArrayList<>();
    for (Answer answer : answers) {
      pieces.add(sendPieces(answer));
    }
    if (pieces.stream().allMatch(List::isEmpty)) {
      return answers;
    }
    producer.flush();
    List<Answer> placed = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      placed.add(withReference(answers.get(i), pieces.get(i)));
    }
    return placed;
  }

  private List<Future<RecordMetadata>> sendPieces(Answer answer) {
    Answer.SessionAdvance session = answer.session();
    if (session == null || session.snapshot() == null) {
      return List.of();
    }
    byte[] key = session.sessionId().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = session.snapshot().bytes();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += pieceBytes) {
      byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + pieceBytes));
      sent.add(producer.send(new ProducerRecord<>(topics.blobs(), partition, key, piece)));
    }
    return sent;
  }

  private Answer withReference(Answer answer, List<Future<RecordMetadata>> pieces)
      throws InterruptedException {
    Answer.SessionAdvance session = answer.session();
    if (session == null || session.snapshot() == null) {
      return answer;
    }
    List<Long> offsets = new ArrayList<>();
    for (Future<RecordMetadata> piece : pieces) {
      offsets.add(await(piece).offset());
    }
    NewSnapshot snapshot = session.snapshot();
    Head head = session.head();
    SnapshotReference reference =
        new SnapshotReference(snapshot.id(), snapshot.bytes().length, snapshot.kept(), offsets);
    return answer.withSession(
        session.withHead(
            new Head(head.step(), head.lastOffset(), head.recentRequests(), reference)));
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
      sent.add(
          producer.send(
              new ProducerRecord<>(topics.heads(), partition, key, codec.encode(session.head()))));
    }
    return sent;
  }

  private static RecordMetadata await(Future<RecordMetadata> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    }
  }

  /** Lets go at once; a transaction still open is ended by the next owner. */
  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
