package dev.stepwell.worker.archive;

import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.DurableState;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.state.store.StoreException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The snapshots of an installation, for programs that are no worker of it. Thread-safe; every
 * method blocks.
 *
 * <p>It belongs to no consumer group, keeps no folder, and writes nothing before {@link #restore}.
 * Once closed, every method fails.
 */
public final class SnapshotArchive implements AutoCloseable {
  /** How many callers may read at once. */
  private static final int READERS = 4;

  /** Decoded snapshots to remember, without their pieces. */
  private static final long SNAPSHOTS_IN_MEMORY = 32L << 20;

  private static final int NAME_BYTES = 6;

  private final KafkaConnection kafka;
  private final DurableState durable;
  private final SnapshotStore snapshots;
  private final SessionHeads heads;
  private final Restore restore;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SnapshotArchive(KafkaConnection kafka, DurableState durable) {
    this.kafka = kafka;
    this.durable = durable;
    this.snapshots = new SnapshotStore(durable, SNAPSHOTS_IN_MEMORY);
    this.heads = new SessionHeads(kafka);
    this.restore = new Restore(kafka, Clock.systemUTC());
  }

  /**
   * Opens the archive of an installation; nothing is asked of it yet.
   *
   * @param config of its workers: bootstrap servers, Kafka's properties, topics, and the object
   *     store if they have one. The rest doesn't matter
   * @throws ArchiveException if the object store's settings can't be used
   */
  public static SnapshotArchive open(WorkerConfig config) throws ArchiveException {
    byte[] random = new byte[NAME_BYTES];
    new SecureRandom().nextBytes(random);
    String name = "archive-" + HexFormat.of().formatHex(random);
    KafkaConnection kafka = new KafkaConnection(name, config.kafka());
    try {
      return new SnapshotArchive(kafka, DurableState.open(config, kafka, READERS));
    } catch (StoreException e) {
      throw new ArchiveException(
          "the object store can't be used: " + e.getMessage(), e, e.permanent());
    }
  }

  /**
   * Lists the snapshots that can still be had of sessions, ended ones among them for as long as
   * Kafka has not compacted their heads away. Goes through the whole heads topic once, whatever the
   * number of sessions; of each session it keeps some 100 bytes for every head.
   *
   * @return by session, the earliest snapshot first; a fork's begin with those of the session that
   *     it comes from. Sessions of which nothing is left are not in it
   * @throws ArchiveException if Kafka doesn't answer
   */
  public Map<String, List<RetainedSnapshot>> retained(Set<String> sessionIds)
      throws ArchiveException, InterruptedException {
    requireOpen();
    Map<String, List<Stored>> named = heads.named(sessionIds);
    Map<String, List<RetainedSnapshot>> found = new HashMap<>();
    Map<Integer, Long> begins = named.isEmpty() ? Map.of() : begins();
    for (Map.Entry<String, List<Stored>> session : named.entrySet()) {
      try {
        List<RetainedSnapshot> retained =
            new History(snapshots, begins).retained(session.getValue());
        if (!retained.isEmpty()) {
          found.put(session.getKey(), retained);
        }
      } catch (SnapshotException e) {
        throw unreadable("the snapshots of session " + session.getKey(), e);
      }
    }
    return found;
  }

  /** By partition: the first offset that the blob topic still has. */
  private Map<Integer, Long> begins() throws ArchiveException, InterruptedException {
    String topic = kafka.kafka().topics().blobs();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(kafka.reader("archive-begins"))) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      return consumer.beginningOffsets(partitions).entrySet().stream()
          .collect(Collectors.toMap(each -> each.getKey().partition(), Map.Entry::getValue));
    } catch (InterruptException e) {
      Thread.interrupted();
      InterruptedException interrupted = new InterruptedException("while asking for " + topic);
      interrupted.initCause(e);
      throw interrupted;
    } catch (KafkaException e) {
      throw new ArchiveException(
          "topic %s can't be looked at: %s. Is the broker there?".formatted(topic, e.getMessage()),
          e,
          false);
    }
  }

  /**
   * What a reference names.
   *
   * @param reference as a worker has issued it, or {@link #retained}, or {@link #restore}
   * @throws ArchiveException if it is none, or what it names is gone or can't be read now
   */
  public RetainedSnapshot at(String reference) throws ArchiveException, InterruptedException {
    Snapshot snapshot = snapshot(reference);
    return new RetainedSnapshot(
        snapshot.making().step(), snapshot.making().requestId(), snapshot.id(), reference);
  }

  /**
   * Copies a snapshot, but for the bytes of its pieces.
   *
   * @throws ArchiveException as {@link #at}
   */
  public SnapshotCopy read(String reference) throws ArchiveException, InterruptedException {
    Snapshot snapshot = snapshot(reference);
    Description description = Description.of(snapshot);
    return new SnapshotCopy(
        snapshot.id(),
        snapshot.making().step(),
        description.encode(),
        List.copyOf(description.pieces().keySet()));
  }

  /**
   * Reads pieces of a snapshot, each once, in any order; neighbours come in one go.
   *
   * @param wanted says of a name, the SHA-256 of the bytes, whether the piece is wanted
   * @throws ArchiveException if one can't be had; others may have been handed over
   * @throws IOException what the sink threw
   */
  public void pieces(String reference, Predicate<String> wanted, PieceSink sink)
      throws ArchiveException, IOException, InterruptedException {
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : Description.of(snapshot(reference)).pieces().values()) {
      if (wanted.test(piece.id().hex())) {
        pieces.add(piece);
      }
    }
    read(pieces, reference, sink);
  }

  /**
   * Gives single pieces of a snapshot, each read when it is asked for.
   *
   * @throws ArchiveException as {@link #at}
   */
  public PieceSupply pieces(String reference) throws ArchiveException, InterruptedException {
    Map<String, Piece> pieces = Description.of(snapshot(reference)).pieces();
    return id -> {
      Piece piece = pieces.get(id);
      if (piece == null) {
        return null;
      }
      List<byte[]> found = new ArrayList<>(1);
      try {
        read(List.of(piece), reference, (name, bytes) -> found.add(bytes));
      } catch (ArchiveException e) {
        throw new IOException(e.getMessage(), e);
      }
      return found.get(0);
    };
  }

  private void read(List<Piece> pieces, String reference, PieceSink sink)
      throws ArchiveException, IOException, InterruptedException {
    requireOpen();
    if (!durable.hasStore()
        && pieces.stream().anyMatch(piece -> piece.location() instanceof Location.InStore)) {
      throw ArchiveException.permanent(
          "parts of snapshot %s are in an object store: give --config with the workers' setting"
                  .formatted(reference)
              + " object.store",
          null);
    }
    try {
      durable.read(pieces, (piece, bytes) -> sink.take(piece.id().hex(), bytes));
    } catch (SnapshotException e) {
      throw unreadable("a piece of snapshot " + reference, e);
    }
  }

  /**
   * Writes a snapshot into this installation, in one transaction: its variables, files and step
   * number as they were, under the name that it had, and with no past. Large pieces go to the blob
   * topic, also where there is an object store. Nothing is a session yet; a fork makes it one.
   *
   * @param supply gives the pieces; asked from this thread, each once or twice
   * @return the reference that a fork accepts as its base, for as long as the blob topic keeps it
   * @throws ArchiveException if the copy is damaged, a piece isn't there, or Kafka doesn't take it
   */
  public String restore(SnapshotCopy copy, PieceSupply supply)
      throws ArchiveException, InterruptedException {
    requireOpen();
    Description description = Description.decode(copy.description());
    if (!description.id().equals(copy.id())) {
      throw ArchiveException.permanent(
          "snapshot %s is damaged: its description is that of %s"
              .formatted(copy.id(), description.id()),
          null);
    }
    PendingSnapshot pending =
        new PendingSnapshot(
            description.making(),
            description.variables(),
            description.files(),
            null,
            new SuppliedPieces(supply),
            List.of());
    try {
      return restore.write(pending);
    } catch (SnapshotException e) {
      throw new ArchiveException(
          "snapshot %s can't be restored: %s".formatted(copy.id(), e.getMessage()),
          e,
          e.permanent());
    } catch (KafkaException e) {
      throw new ArchiveException(
          "snapshot %s can't be written to topic %s at %s: %s"
              .formatted(
                  copy.id(),
                  kafka.kafka().topics().blobs(),
                  kafka.kafka().bootstrapServers(),
                  e.getMessage()),
          e,
          false);
    }
  }

  private Snapshot snapshot(String reference) throws ArchiveException, InterruptedException {
    requireOpen();
    Stored stored;
    try {
      stored = References.parse(reference);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw ArchiveException.permanent(
          "'" + reference + "' is no reference that a worker has issued", e);
    }
    try {
      return snapshots.read(stored);
    } catch (SnapshotException e) {
      throw unreadable("snapshot " + reference, e);
    }
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the archive is closed");
    }
  }

  private static ArchiveException unreadable(String what, SnapshotException cause) {
    return new ArchiveException(
        "%s can't be read: %s".formatted(what, cause.getMessage()), cause, cause.permanent());
  }

  /**
   * Tells what is in a snapshot; nothing is unpickled. Small pieces are asked for, and each of them
   * read more than once at worst.
   *
   * @throws ArchiveException if it can't be told: the copy is damaged, what the sandbox wrote is no
   *     table of variables, or a piece isn't there
   */
  public static StateContents contents(SnapshotCopy copy, PieceSupply supply)
      throws ArchiveException, InterruptedException {
    Description description = Description.decode(copy.description());
    Map<String, StateContents.Item> settings = new HashMap<>();
    try {
      Map<String, StateContents.Item> variables =
          ContentsReader.read(description.variables(), new SuppliedPieces(supply), settings);
      return new StateContents(variables, WorkspaceContents.of(description.files()), settings);
    } catch (MarshalReader.MarshalException e) {
      throw ArchiveException.permanent(
          "what is in snapshot %s can't be told: %s".formatted(copy.id(), e.getMessage()), e);
    } catch (SnapshotException e) {
      throw new ArchiveException(
          "what is in snapshot %s can't be told: %s".formatted(copy.id(), e.getMessage()),
          e,
          e.permanent());
    }
  }

  /** Ends the connections. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      restore.close();
      durable.close();
    }
  }
}
