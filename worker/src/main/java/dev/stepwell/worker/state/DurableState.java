package dev.stepwell.worker.state;

import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.StoreConfig;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.state.store.StoreException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads committed state from where it is durable, without a cache and without a folder.
 * Thread-safe.
 *
 * <p>For whoever looks at each piece once; workers have {@link PieceStore}.
 */
public final class DurableState implements BlobRecords, AutoCloseable {
  /** No folder and no description of variables is larger. */
  private static final int RECORDS_MAX_BYTES = 64 << 20;

  private final TopicPieces topic;
  private final @Nullable StorePieces store;
  private final PieceSource source;

  private DurableState(TopicPieces topic, @Nullable StorePieces store) {
    this.topic = topic;
    this.store = store;
    this.source = new DurablePieces(topic, store);
  }

  /**
   * Opens it; nothing is read or written yet.
   *
   * @param readers how many callers may read at once, at least 1
   * @throws StoreException if the object store's settings can't be used
   */
  public static DurableState open(WorkerConfig config, KafkaConnection kafka, int readers)
      throws StoreException {
    WorkerConfig.ObjectStore settings = config.state().objectStore();
    StoreConfig place = settings.place();
    StorePieces store =
        place == null
            ? null
            : new StorePieces(
                PieceStore.openStore(place, settings), settings.concurrency(), settings.timeMs());
    return new DurableState(
        new TopicPieces(kafka, config.kafka().topics().blobs(), readers), store);
  }

  /** Whether there is an object store. */
  public boolean hasStore() {
    return store != null;
  }

  @Override
  public byte[] read(int partition, long offset, int records)
      throws SnapshotException, InterruptedException {
    return topic.records(partition, offset, records, RECORDS_MAX_BYTES);
  }

  /** Takes pieces as they come; called on the thread that asked for them. */
  @FunctionalInterface
  public interface Receiver {
    /**
     * Takes one.
     *
     * @param bytes what the piece's name stands for; the receiver may keep it
     * @throws IOException if it can't be kept
     */
    void take(Piece piece, byte[] bytes) throws IOException;
  }

  /**
   * Reads pieces, each of them once, in any order. Blocks.
   *
   * @param pieces different pieces with locations
   * @throws SnapshotException if one can't be had, or is not what was committed; others may have
   *     been handed over
   * @throws IOException what the receiver threw
   */
  public void read(List<Piece> pieces, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    source.read(
        pieces,
        (piece, bytes) -> {
          if (bytes.length != piece.bytes() || !PieceId.of(bytes).equals(piece.id())) {
            throw new SnapshotException(
                "what is stored for piece " + piece.id().hex() + " is something else", null, true);
          }
          receiver.take(piece, bytes);
        });
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    topic.close();
  }
}
