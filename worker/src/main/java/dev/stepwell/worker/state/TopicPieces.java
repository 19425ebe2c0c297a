package dev.stepwell.worker.state;

import dev.stepwell.worker.config.KafkaConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/**
 * Reads pieces from the blob topic. Thread-safe: a caller borrows one of a few readers, so no more
 * than those many read at once.
 *
 * <p>Neighbouring pieces are read in one go, whatever records they share. What is read is not
 * checked here, nor whether its transaction was committed: the locations come from committed heads,
 * and the names of the pieces tell whether the bytes are right.
 */
final class TopicPieces implements PieceSource, AutoCloseable {
  private static final long CLOSE_SECONDS = 10;

  private final int readers;

  /** The one used last comes first: it still has its connections. */
  private final BlockingDeque<RecordReader> idle;

  /**
   * @param readers how many callers may read at once, at least 1
   */
  TopicPieces(KafkaConnection kafka, String topic, int readers) {
    this.readers = readers;
    this.idle = new LinkedBlockingDeque<>(readers);
    for (int i = 0; i < readers; i++) {
      idle.add(new RecordReader(kafka, topic, i));
    }
  }

  /**
   * Connects the readers, so that the first piece of a session that comes from another worker does
   * not wait for that. Blocks; a failure is left to those who read.
   */
  void warm() throws InterruptedException {
    for (int i = 0; i < readers; i++) {
      RecordReader reader = idle.pollLast();
      if (reader == null) {
        return;
      }
      try {
        reader.warm();
      } finally {
        idle.addFirst(reader);
      }
    }
  }

  @Override
  public void read(List<Piece> pieces, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    RecordReader reader = idle.take();
    try {
      for (TopicRun run : TopicRun.of(pieces)) {
        read(reader, run, receiver);
      }
    } finally {
      idle.addFirst(reader);
    }
  }

  private static void read(RecordReader reader, TopicRun run, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    Deque<PieceAssembly> waiting = new ArrayDeque<>(run.pieces());
    List<PieceAssembly> begun = new ArrayList<>();
    reader.read(
        run.partition(),
        run.first(),
        run.end(),
        run.bytes(),
        (offset, value) -> {
          while (!waiting.isEmpty() && waiting.getFirst().location().offset() <= offset) {
            begun.add(waiting.removeFirst());
          }
          List<PieceAssembly> unfinished = new ArrayList<>();
          for (PieceAssembly each : begun) {
            if (each.take(offset, value)) {
              receiver.take(each.piece(), each.handOver());
            } else {
              unfinished.add(each);
            }
          }
          begun.clear();
          begun.addAll(unfinished);
        });
    if (!waiting.isEmpty() || !begun.isEmpty()) {
      PieceAssembly missing = begun.isEmpty() ? waiting.getFirst() : begun.get(0);
      throw new SnapshotException(
          "piece " + missing.piece().id().hex() + " is not where the blob topic should have it",
          null,
          true);
    }
  }

  /**
   * Reads consecutive records as one array. Blocks.
   *
   * @param maxBytes the most that is read
   * @throws SnapshotException if they can't be had, or are more than that
   */
  byte[] records(int partition, long firstOffset, int count, int maxBytes)
      throws SnapshotException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] found = {0};
    RecordReader reader = idle.take();
    try {
      reader.read(
          partition,
          firstOffset,
          firstOffset + count,
          count,
          (offset, value) -> {
            if ((long) bytes.size() + value.length > maxBytes) {
              throw new SnapshotException(
                  "%d records from offset %d have more than %d bytes"
                      .formatted(count, firstOffset, maxBytes),
                  null,
                  true);
            }
            bytes.writeBytes(value);
            found[0]++;
          });
    } catch (IOException e) {
      throw new SnapshotException("records can't be read", e, false);
    } finally {
      idle.addFirst(reader);
    }
    if (found[0] != count) {
      throw new SnapshotException(
          "of %d records from offset %d of partition %d only %d are there"
              .formatted(count, firstOffset, partition, found[0]),
          null,
          true);
    }
    return bytes.toByteArray();
  }

  /** Closes the consumers, waiting a while for callers that still read. */
  @Override
  public void close() {
    try {
      for (int i = 0; i < readers; i++) {
        RecordReader reader = idle.poll(CLOSE_SECONDS, TimeUnit.SECONDS);
        if (reader == null) {
          return;
        }
        reader.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
