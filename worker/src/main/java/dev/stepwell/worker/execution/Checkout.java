package dev.stepwell.worker.execution;

import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.worker.runner.StateCaps;
import dev.stepwell.worker.runner.StepReport;
import dev.stepwell.worker.runner.StepState;
import dev.stepwell.worker.runner.Variables;
import dev.stepwell.worker.snapshot.Making;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.NewPieces;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.RefusedPathException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session's state, checked out for one request, which may check in another. Not thread-safe:
 * owned by the slot thread that runs the request, which closes it.
 */
final class Checkout implements AutoCloseable {
  private final StateParts parts;
  private final @Nullable Snapshot before;
  private final List<NewPieces> taken = new ArrayList<>();
  private final List<Piece> newVariables = new ArrayList<>();
  private final List<Piece> newContent = new ArrayList<>();
  private Node.Folder files;
  private boolean handedOver;

  private Checkout(StateParts parts, @Nullable Snapshot before) {
    this.parts = parts;
    this.before = before;
    this.files = before == null ? Node.Folder.EMPTY : before.files();
  }

  /**
   * Checks out what lies there.
   *
   * @param at null for no state yet
   * @throws SnapshotException if it can't be had
   */
  static Checkout open(StateParts parts, @Nullable Stored at)
      throws SnapshotException, InterruptedException {
    return new Checkout(parts, at == null ? null : parts.snapshots().read(at));
  }

  @Nullable Snapshot before() {
    return before;
  }

  SessionVariables variables() {
    return before == null ? SessionVariables.NONE : before.variables();
  }

  /** The workspace as it is by now. */
  Node.Folder files() {
    return files;
  }

  void files(Node.Folder changed) {
    files = changed;
  }

  /**
   * Puts a request's files into the workspace.
   *
   * @throws RefusedPathException if one can't be where it is to be; then none is
   * @throws SnapshotException if this worker can't take the content in
   */
  void put(List<FileInput> inputs, long nowMs) throws RefusedPathException, SnapshotException {
    if (inputs.isEmpty()) {
      return;
    }
    try {
      files = TreeFiles.put(files, inputs, take(), nowMs);
    } catch (IOException e) {
      throw new SnapshotException(
          "this worker can't take the files in: " + e.getMessage(), e, false);
    }
  }

  private NewPieces take() {
    NewPieces intake = parts.pieces().take();
    taken.add(intake);
    return intake;
  }

  /** The state as a runner is given it. */
  StepState forRunner(StateCaps caps, boolean reportsFiles, boolean reseed) {
    SessionVariables variables = variables();
    TreeFiles.Listing listing = TreeFiles.listing(files);
    NewPieces variableIntake = take();
    NewPieces contentIntake = take();
    return new StepState(
        new Variables(
            variables.body(),
            variables.pieces().stream().map(Piece::bytes).toList(),
            variables.eager()),
        new TablePieces(parts.pieces(), variables.pieces()),
        (bytes, from, length) -> newVariables.add(variableIntake.add(bytes, from, length)),
        listing.entries(),
        listing.table().stream().map(Piece::bytes).toList(),
        new TablePieces(parts.pieces(), listing.table()),
        (bytes, from, length) -> newContent.add(contentIntake.add(bytes, from, length)),
        caps,
        reportsFiles,
        reseed);
  }

  /**
   * The variables that a step left, as far as they are new; those before where they say the same.
   */
  SessionVariables variables(StepReport.State left, String image) {
    SessionVariables old = variables();
    Map<PieceId, Piece> known = new HashMap<>();
    old.pieces().forEach(piece -> known.put(piece.id(), piece));
    List<Piece> table = new ArrayList<>();
    for (int ref : left.refs()) {
      Piece piece = ref >= 0 ? old.pieces().get(ref) : newVariables.get(-ref - 1);
      table.add(known.getOrDefault(piece.id(), piece));
    }
    SessionVariables now =
        new SessionVariables(
            left.body(), table, left.eager(), left.kept(), left.liveBytes(), image, null);
    return before != null && now.id().equals(old.id()) ? old : now;
  }

  /** Applies what a step did to the workspace; what can't be kept is added to {@code lost}. */
  void apply(StepReport.Files changed, List<LostValue> lost) {
    Map<PieceId, Piece> known = new HashMap<>();
    if (!newContent.isEmpty()) {
      TreeFiles.listing(files).table().forEach(piece -> known.put(piece.id(), piece));
    }
    files =
        TreeFiles.apply(
            files,
            changed.changes(),
            newContent,
            piece -> known.getOrDefault(piece.id(), piece),
            lost);
  }

  /**
   * Makes of the state as it is now a snapshot to be committed, which takes over what this holds.
   *
   * @throws SnapshotException if an old piece can't be carried on, or the object store fails
   */
  PendingSnapshot checkIn(Making making, SessionVariables variables)
      throws SnapshotException, InterruptedException {
    Carrying carrying = new Carrying(parts.renewal(), making.finishedAtMs(), this::renew);
    SessionVariables carriedVariables = carrying.variables(variables);
    Node.Folder carriedFiles = carrying.folder(files);
    PendingSnapshot pending =
        new PendingSnapshot(making, carriedVariables, carriedFiles, before, parts.pieces(), taken);
    settle(pending);
    handedOver = true;
    return pending;
  }

  /**
   * Large new state becomes durable now, so that no transaction has to carry it. Small pieces stay
   * with the snapshot that refers to them, where they are read with it, unless they are many.
   */
  private void settle(PendingSnapshot pending) throws SnapshotException, InterruptedException {
    settle(pending, pending.loose());
    settle(pending, pending.embedded());
  }

  private void settle(PendingSnapshot pending, List<Piece> pieces)
      throws SnapshotException, InterruptedException {
    Map<PieceId, Location> claimed = new HashMap<>();
    for (Piece piece : parts.claimCheck().settle(pieces)) {
      if (piece.location() != null) {
        claimed.put(piece.id(), piece.location());
      }
    }
    pending.claimed(claimed);
  }

  private Piece renew(Piece old) throws SnapshotException, InterruptedException {
    byte[] bytes = parts.pieces().read(old);
    try {
      return take().add(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new SnapshotException("this worker can't hold " + old.id().hex(), e, false);
    }
  }

  /** Lets go of what was taken in, unless a snapshot has it. */
  @Override
  public void close() {
    if (!handedOver) {
      taken.forEach(NewPieces::close);
    }
  }
}
