package dev.stepwell.worker.state;

import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.config.KafkaConnection;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads snapshots from the blob topic, piece by piece, by their offsets. Thread-safe: a reader
 * borrows one of a few consumers, so no more than those many read at once.
 */
public final class KafkaSnapshots implements SnapshotSource, AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PIECE_TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();

  private final Topics topics;
  private final int readers;
  private final BlockingQueue<KafkaConsumer<byte[], byte[]>> consumers;

  /**
   * @param readers how many snapshots may be read at once, at least 1
   */
  public KafkaSnapshots(KafkaConnection kafka, Topics topics, int readers) {
    this.topics = topics;
    this.readers = readers;
    this.consumers = new ArrayBlockingQueue<>(readers);
    for (int i = 0; i < readers; i++) {
      consumers.add(new KafkaConsumer<>(kafka.pieceReader("snapshots-" + i)));
    }
  }

  @Override
  public byte[] read(int partition, SnapshotReference reference)
      throws SnapshotException, InterruptedException {
    KafkaConsumer<byte[], byte[]> consumer = consumers.take();
    byte[] bytes;
    try {
      bytes = readPieces(consumer, new TopicPartition(topics.blobs(), partition), reference);
    } catch (OffsetOutOfRangeException | NoOffsetForPartitionException e) {
      throw new SnapshotException(expired(reference), e, true);
    } catch (KafkaException e) {
      throw new SnapshotException("snapshot " + reference.id() + " can't be read", e, false);
    } finally {
      consumers.add(consumer);
    }
    if (!SnapshotHash.of(bytes).equals(reference.id())) {
      throw new SnapshotException(
          "what the blob topic holds for snapshot " + reference.id() + " has another hash",
          null,
          true);
    }
    return bytes;
  }

  private byte[] readPieces(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition blobs, SnapshotReference reference)
      throws SnapshotException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) reference.bytes());
    consumer.assign(List.of(blobs));
    for (long offset : reference.offsets()) {
      consumer.seek(blobs, offset);
      bytes.writeBytes(readPiece(consumer, offset, reference));
    }
    return bytes.toByteArray();
  }

  private static byte[] readPiece(
      KafkaConsumer<byte[], byte[]> consumer, long offset, SnapshotReference reference)
      throws SnapshotException {
    long giveUpAt = System.nanoTime() + PIECE_TIMEOUT_NANOS;
    while (System.nanoTime() < giveUpAt) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() == offset) {
          return record.value();
        }
        if (record.offset() > offset) {
          throw new SnapshotException(expired(reference), null, true);
        }
      }
    }
    throw new SnapshotException(
        "snapshot " + reference.id() + ": the piece at offset " + offset + " did not come in time",
        null,
        false);
  }

  private static String expired(SnapshotReference reference) {
    return "snapshot "
        + reference.id()
        + " is gone: the session was idle for longer than the blob topic keeps its records."
        + " Start a new session, or raise the topic's retention.ms";
  }

  /** Closes the consumers, waiting for readers to give theirs back. */
  @Override
  public void close() {
    for (int i = 0; i < readers; i++) {
      try {
        consumers.take().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
