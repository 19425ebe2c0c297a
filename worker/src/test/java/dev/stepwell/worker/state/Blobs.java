package dev.stepwell.worker.state;

import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.delivery.TestKafka;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** A blob topic of a test's own, and what writes to it as a worker does. */
final class Blobs implements AutoCloseable {
  private static final int PARTITIONS = 2;

  private final String prefix = "blobs-" + UUID.randomUUID();
  private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();

  Blobs() throws ExecutionException, InterruptedException {
    TestKafka.createTopics(new Topics(prefix), PARTITIONS);
    for (int i = 0; i < PARTITIONS; i++) {
      KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka().transactional(i));
      producer.initTransactions();
      producers.add(producer);
    }
  }

  /** A worker's configuration with these topics, and more settings. */
  WorkerConfig config(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("bootstrap.servers", TestKafka.bootstrap());
    all.put("topic.prefix", prefix);
    all.put("cluster.name", prefix);
    return WorkerConfig.of(all);
  }

  KafkaConnection kafka() {
    return new KafkaConnection("worker", config(Map.of()).kafka());
  }

  String topic() {
    return new Topics(prefix).blobs();
  }

  /** Writes records in one transaction and returns their offsets. */
  List<Long> write(int partition, List<byte[]> values)
      throws ExecutionException, InterruptedException {
    KafkaProducer<byte[], byte[]> producer = producers.get(partition);
    producer.beginTransaction();
    List<Long> offsets = send(producer, partition, values);
    producer.commitTransaction();
    return offsets;
  }

  /** Writes records in a transaction that comes to nothing. */
  void writeInVain(int partition, List<byte[]> values)
      throws ExecutionException, InterruptedException {
    KafkaProducer<byte[], byte[]> producer = producers.get(partition);
    producer.beginTransaction();
    send(producer, partition, values);
    producer.abortTransaction();
  }

  private List<Long> send(
      KafkaProducer<byte[], byte[]> producer, int partition, List<byte[]> values)
      throws ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (byte[] value : values) {
      sent.add(producer.send(new ProducerRecord<>(topic(), partition, new byte[] {'k'}, value)));
    }
    producer.flush();
    List<Long> offsets = new ArrayList<>();
    for (Future<RecordMetadata> each : sent) {
      offsets.add(each.get().offset());
    }
    return offsets;
  }

  /** Writes each array as a piece in a record of its own. */
  List<Piece> writePieces(int partition, List<byte[]> contents)
      throws ExecutionException, InterruptedException {
    List<Long> offsets = write(partition, contents);
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < contents.size(); i++) {
      byte[] bytes = contents.get(i);
      Location location = new Location.InTopic(partition, offsets.get(i), 1, 0, 0);
      pieces.add(new Piece(PieceId.of(bytes), bytes.length, location));
    }
    return pieces;
  }

  /** Makes the partition begin at an offset, as retention does. */
  void expireBefore(int partition, long offset) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(kafka().admin())) {
      admin
          .deleteRecords(
              Map.of(new TopicPartition(topic(), partition), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get();
    }
  }

  @Override
  public void close() {
    producers.forEach(KafkaProducer::close);
  }
}
