package dev.stepwell.worker.state;

import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.StoreConfig;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.state.store.FolderStore;
import dev.stepwell.worker.state.store.ObjectStore;
import dev.stepwell.worker.state.store.S3Store;
import dev.stepwell.worker.state.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of all snapshots, as a worker sees them: its cache, and behind it the blob topic and
 * the object store. Thread-safe.
 */
public final class PieceStore implements Pieces, AutoCloseable {
  /** Written when a worker starts, to see whether it may. */
  private static final String TRIAL = "stepwell-trial";

  private final TopicPieces topic;
  private final @Nullable StorePieces store;
  private final PieceCache cache;
  private final ClaimCheck claimCheck;

  private PieceStore(
      TopicPieces topic, @Nullable StorePieces store, PieceCache cache, ClaimCheck claimCheck) {
    this.topic = topic;
    this.store = store;
    this.cache = cache;
    this.claimCheck = claimCheck;
  }

  /**
   * Opens the cache, and the object store if there is one.
   *
   * @param clock says when pieces were written to the object store
   * @throws IOException if the cache's folder can't be made
   * @throws StoreException if the object store can't be written to
   */
  public static PieceStore open(WorkerConfig config, KafkaConnection kafka, Clock clock)
      throws IOException, StoreException, InterruptedException {
    StorePieces store = openStore(config.state().objectStore());
    TopicPieces topic =
        new TopicPieces(kafka, config.kafka().topics().blobs(), config.execution().slots());
    PieceSource source = new DurablePieces(topic, store);
    PieceCache cache;
    try {
      cache =
          PieceCache.open(config.backend().scratchFolder(), config.state().cacheBytes(), source);
    } catch (IOException e) {
      topic.close();
      if (store != null) {
        store.close();
      }
      throw e;
    }
    warm(topic);
    ClaimCheck claimCheck = new ClaimCheck(cache, store, config.state().claimCheckBytes(), clock);
    return new PieceStore(topic, store, cache, claimCheck);
  }

  private static void warm(TopicPieces topic) {
    Thread thread =
        new Thread(
            () -> {
              try {
                topic.warm();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "piece-readers");
    thread.setDaemon(true);
    thread.start();
  }

  private static @Nullable StorePieces openStore(WorkerConfig.ObjectStore settings)
      throws StoreException, InterruptedException {
    StoreConfig place = settings.place();
    if (place == null) {
      return null;
    }
    ObjectStore store = openStore(place, settings);
    try {
      store.put(TRIAL, "of a worker that started".getBytes(StandardCharsets.US_ASCII));
    } catch (StoreException | InterruptedException e) {
      store.close();
      throw e;
    }
    return new StorePieces(store, settings.concurrency(), settings.timeMs());
  }

  /** Opens the object store; nothing is written to it. */
  static ObjectStore openStore(StoreConfig place, WorkerConfig.ObjectStore settings)
      throws StoreException {
    if (place instanceof StoreConfig.Folder folder) {
      return FolderStore.open(folder.root());
    }
    StoreConfig.S3 s3 = (StoreConfig.S3) place;
    return S3Store.open(
        new S3Store.Settings(
            s3.bucket(),
            s3.prefix(),
            s3.endpoint(),
            s3.region(),
            s3.pathStyle(),
            s3.credentialsFile(),
            Duration.ofMillis(settings.timeMs())));
  }

  @Override
  public List<Placement> place(List<Piece> pieces, Path folder)
      throws SnapshotException, InterruptedException {
    return cache.place(pieces, folder);
  }

  @Override
  public byte[] read(Piece piece) throws SnapshotException, InterruptedException {
    return cache.read(piece);
  }

  @Override
  public NewPieces take() {
    return cache.take();
  }

  /**
   * Fetches into the cache what is not there yet, all at once: for callers who will read many
   * pieces one by one. Blocks.
   *
   * @throws SnapshotException if a piece can't be had, or is not what was committed
   */
  public void fetch(List<Piece> pieces) throws SnapshotException, InterruptedException {
    cache.fetch(pieces);
  }

  /**
   * Reads consecutive records of the blob topic as one array, past the cache. Blocks. Nothing of it
   * is checked.
   *
   * @param maxBytes the most that they may have together
   * @throws SnapshotException if they can't be had, or are more than that
   */
  public byte[] records(int partition, long firstOffset, int count, int maxBytes)
      throws SnapshotException, InterruptedException {
    return topic.records(partition, firstOffset, count, maxBytes);
  }

  /** Decides where new pieces become durable. */
  public ClaimCheck claimCheck() {
    return claimCheck;
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    topic.close();
    cache.close();
  }
}
