package dev.stepwell.worker.archive;

import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Place;
import dev.stepwell.worker.state.SnapshotException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots to the blob topic, each in a transaction of its own. Thread-safe: one after the
 * other, whoever asks.
 *
 * <p>Workers write to the same partition at the same time, so the records of a bundle may come to
 * lie apart; the bundle is then written again. What it leaves behind expires like all records.
 */
final class Restore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Restore.class);
  private static final int TRIES = 20;

  private final KafkaConnection kafka;
  private final String topic;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Used under the lock alone. */
  private @Nullable KafkaProducer<byte[], byte[]> producer;

  Restore(KafkaConnection kafka, Clock clock) {
    this.kafka = kafka;
    this.topic = kafka.kafka().topics().blobs();
    this.clock = clock;
  }

  /**
   * Writes a snapshot.
   *
   * @return its reference, good once this returns
   * @throws KafkaException if Kafka doesn't take it
   * @throws SnapshotException if a piece can't be had
   */
  String write(PendingSnapshot snapshot) throws SnapshotException, InterruptedException {
    lock.lockInterruptibly();
    boolean done = false;
    try {
      KafkaProducer<byte[], byte[]> open = open();
      open.beginTransaction();
      Snapshot written = write(snapshot, open);
      open.commitTransaction();
      done = true;
      return References.text(written.stored());
    } catch (InterruptException e) {
      Thread.interrupted();
      InterruptedException interrupted = new InterruptedException("while writing to " + topic);
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      if (!done) {
        discard();
      }
      lock.unlock();
    }
  }

  private KafkaProducer<byte[], byte[]> open() {
    KafkaProducer<byte[], byte[]> open = producer;
    if (open == null) {
      open = new KafkaProducer<>(kafka.archivist(kafka.workerId()));
      producer = open;
      open.initTransactions();
    }
    return open;
  }

  private Snapshot write(PendingSnapshot snapshot, KafkaProducer<byte[], byte[]> open)
      throws SnapshotException, InterruptedException {
    byte[] key = snapshot.id().getBytes(StandardCharsets.US_ASCII);
    int partition = Math.floorMod(snapshot.id().hashCode(), open.partitionsFor(topic).size());
    Writer writer = new Writer(open, topic, partition, key, clock);
    PendingSnapshot.Written bundle = snapshot.write(writer.loose(snapshot));
    return bundle.at(writer.bundle(bundle.bytes()));
  }

  /** One snapshot's records; used by one thread. */
  @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
  private record Writer(
      KafkaProducer<byte[], byte[]> producer,
      String topic,
      int partition,
      byte[] key,
      Clock clock) {
    Map<PieceId, Location> loose(PendingSnapshot snapshot)
        throws SnapshotException, InterruptedException {
      Map<PieceId, Future<RecordMetadata>> sent = new HashMap<>();
      for (Piece piece : snapshot.loose()) {
        sent.put(piece.id(), send(snapshot.read(piece)));
      }
      Map<PieceId, Location> places = new HashMap<>();
      for (Map.Entry<PieceId, Future<RecordMetadata>> piece : sent.entrySet()) {
        long offset = await(piece.getValue()).offset();
        places.put(piece.getKey(), new Location.InTopic(partition, offset, 1, 0, clock.millis()));
      }
      return places;
    }

    Place bundle(byte[] bytes) throws InterruptedException {
      for (int left = TRIES; left > 0; left--) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += Place.RECORD_BYTES) {
          int to = Math.min(bytes.length, from + Place.RECORD_BYTES);
          sent.add(send(Arrays.copyOfRange(bytes, from, to)));
        }
        long first = await(sent.get(0)).offset();
        if (await(sent.get(sent.size() - 1)).offset() == first + sent.size() - 1) {
          return new Place(partition, first, clock.millis());
        }
      }
      throw new KafkaException(
          "others write so much to partition %d of %s that %d bytes never came to lie in one row"
              .formatted(partition, topic, bytes.length));
    }

    private Future<RecordMetadata> send(byte[] value) {
      return producer.send(new ProducerRecord<>(topic, partition, key, value));
    }

    private static RecordMetadata await(Future<RecordMetadata> future) throws InterruptedException {
      try {
        return future.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof KafkaException known
            ? known
            : new KafkaException(e.getCause());
      }
    }
  }

  /** What was written so far is of no use; where that can't be told Kafka, its timeout does. */
  private void discard() {
    KafkaProducer<byte[], byte[]> open = producer;
    producer = null;
    if (open != null) {
      // An interruption must not keep it from being closed.
      boolean interrupted = Thread.interrupted();
      try {
        open.abortTransaction();
      } catch (KafkaException | IllegalStateException e) {
        log.debug("a transaction is left to its timeout", e);
      }
      open.close(Duration.ZERO);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for the snapshot that is being written. */
  @Override
  public void close() {
    lock.lock();
    try {
      discard();
    } finally {
      lock.unlock();
    }
  }
}
