package dev.stepwell.worker.snapshot;

import dev.stepwell.protocol.StateSize;
import dev.stepwell.worker.state.Bundle;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.NewPieces;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.Place;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.workspace.FolderCodec;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that no transaction has carried yet. Used by one thread at a time; {@link #close} may
 * be called from any.
 *
 * <p>It is written in two strokes: first the large new pieces, each as a record of its own, then
 * one bundle that holds everything else and refers to them.
 */
public final class PendingSnapshot implements AutoCloseable {
  /** A piece above this travels by itself, so that reading it reads nothing else. */
  private static final int EMBEDDED_BYTES = 64 << 10;

  /** Unless all together are no more than this: then one stroke less is worth more. */
  private static final int ONE_STROKE_BYTES = 640 << 10;

  private final Making making;
  private final SessionVariables variables;
  private final Node.Folder files;
  private final Past past;
  private final StateSize size;
  private final Pieces source;
  private final List<NewPieces> taken;
  private final Map<PieceId, Piece> fresh = new LinkedHashMap<>();
  private final Map<PieceId, Location> claimed = new HashMap<>();

  /**
   * @param previous the session's snapshot before; null if it is its first
   * @param source reads the new pieces
   * @param taken keeps them readable until this is closed
   */
  public PendingSnapshot(
      Making making,
      SessionVariables variables,
      Node.Folder files,
      @Nullable Snapshot previous,
      Pieces source,
      List<NewPieces> taken) {
    this.variables = variables;
    this.files = files;
    this.past = Past.after(previous);
    this.source = source;
    this.taken = List.copyOf(taken);
    variables.pieces().forEach(this::note);
    FolderCodec.unwrittenPieces(files).forEach(this::note);
    this.making = making.adding(newBytes());
    Trees.Extent extent = Trees.extent(files);
    this.size =
        new StateSize(variables.liveBytes(), variables.kept(), extent.entries(), extent.bytes());
  }

  private void note(Piece piece) {
    if (piece.location() == null) {
      fresh.putIfAbsent(piece.id(), piece);
    }
  }

  /** Says that some new pieces have been made durable elsewhere, so that no transaction need. */
  public void claimed(Map<PieceId, Location> places) {
    claimed.putAll(places);
  }

  /** The new pieces that travel by themselves. */
  public List<Piece> loose() {
    int embeddedBytes = payloadBytes() <= ONE_STROKE_BYTES ? ONE_STROKE_BYTES : EMBEDDED_BYTES;
    return unclaimed().filter(piece -> piece.bytes() > embeddedBytes).toList();
  }

  /** The new pieces that travel with the snapshot itself. */
  public List<Piece> embedded() {
    Set<Piece> loose = new HashSet<>(loose());
    return unclaimed().filter(piece -> !loose.contains(piece)).toList();
  }

  private Stream<Piece> unclaimed() {
    return fresh.values().stream().filter(piece -> !claimed.containsKey(piece.id()));
  }

  /** The bytes that the transaction carries for it, roughly. */
  public long payloadBytes() {
    return unclaimed().mapToLong(Piece::bytes).sum();
  }

  /** What it adds to storage: its new pieces, and the description of the variables if it is new. */
  public long newBytes() {
    long body = variables.stored() == null ? variables.body().length : 0;
    return body + fresh.values().stream().mapToLong(Piece::bytes).sum();
  }

  /**
   * Reads a new piece.
   *
   * @throws SnapshotException if this worker's own cache has lost it
   */
  public byte[] read(Piece piece) throws SnapshotException, InterruptedException {
    return source.read(piece);
  }

  /**
   * Everything but the loose pieces in one bundle.
   *
   * @param loose where the loose pieces are
   * @throws SnapshotException if this worker's own cache has lost a piece
   */
  public Written write(Map<PieceId, Location> loose)
      throws SnapshotException, InterruptedException {
    Bundle bundle = new Bundle();
    Map<PieceId, Location> places = new HashMap<>(claimed);
    places.putAll(loose);
    for (Piece piece : fresh.values()) {
      if (!places.containsKey(piece.id())) {
        places.put(piece.id(), bundle.add(piece.id(), read(piece)).at());
      }
    }
    SessionVariables writtenVariables = variables.write(piece -> placed(piece, places), bundle);
    Node.Folder writtenFiles = FolderCodec.write(files, piece -> placed(piece, places), bundle);
    Encoder root = Encoder.into(bundle);
    Stored variablesAt = Objects.requireNonNull(writtenVariables.stored(), "just written");
    Stored filesAt = Objects.requireNonNull(writtenFiles.stored(), "just written");
    SnapshotCodec.encode(root, making, variablesAt, filesAt, past);
    PieceId id = Snapshot.id(variablesAt.id(), filesAt.id());
    // The same state may come twice in a bundle's life, but never the same moment of it.
    Stored rootAt = bundle.append(id, root.toByteArray());
    return new Written(
        bundle.toByteArray(), new Snapshot(making, writtenVariables, writtenFiles, past, rootAt));
  }

  private static Piece placed(Piece piece, Map<PieceId, Location> places) {
    if (piece.location() != null) {
      return piece;
    }
    return piece.at(Objects.requireNonNull(places.get(piece.id()), "every new piece has a place"));
  }

  /** What it is a snapshot of. */
  public StateSize size() {
    return size;
  }

  /** The snapshot's name. */
  public String id() {
    return Snapshot.id(variables.id(), FolderCodec.id(files)).hex();
  }

  /** Lets go of the new pieces, which are durable by now or given up. Idempotent. */
  @Override
  public void close() {
    taken.forEach(NewPieces::close);
  }

  /**
   * A bundle without a place; not to be changed.
   *
   * @param bytes what to write, cut into records of {@link Place#RECORD_BYTES}
   * @param relative the snapshot, its places relative to the bundle
   */
  @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
  public record Written(byte[] bytes, Snapshot relative) {
    /** The snapshot as others will read it, once the bundle has a place. */
    public Snapshot at(Place place) {
      return new Snapshot(
          relative.making(),
          relative.variables().resolve(place),
          FolderCodec.resolve(relative.files(), place),
          relative.past(),
          place.resolve(relative.stored()));
    }
  }
}
