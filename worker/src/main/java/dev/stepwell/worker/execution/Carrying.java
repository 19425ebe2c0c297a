package dev.stepwell.worker.execution;

import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.Renewal;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.workspace.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries state on from one snapshot to the next: what has been stored for long is marked to be
 * stored again, so that it is there for as long as its session goes on. Not thread-safe.
 */
final class Carrying {
  private final Renewal renewal;
  private final long nowMs;
  private final Renewer renewer;
  private final Map<Piece, Piece> renewed = new HashMap<>();

  /** Makes a new piece of an old one. */
  interface Renewer {
    Piece renew(Piece old) throws SnapshotException, InterruptedException;
  }

  Carrying(Renewal renewal, long nowMs, Renewer renewer) {
    this.renewal = renewal;
    this.nowMs = nowMs;
    this.renewer = renewer;
  }

  /** The same variables, as new where any part of them is old. */
  SessionVariables variables(SessionVariables variables)
      throws SnapshotException, InterruptedException {
    List<Piece> table = pieces(variables.pieces());
    return table.equals(variables.pieces()) && !isOld(variables.stored())
        ? variables
        : variables.withPieces(table);
  }

  /** The same folder, as new where any part of it is old. */
  Node.Folder folder(Node.Folder folder) throws SnapshotException, InterruptedException {
    SortedMap<String, Node> children = new TreeMap<>();
    boolean changed = isOld(folder.stored());
    for (Map.Entry<String, Node> child : folder.children().entrySet()) {
      Node carried = node(child.getValue());
      changed |= !carried.equals(child.getValue());
      children.put(child.getKey(), carried);
    }
    return changed ? new Node.Folder(folder.mode(), folder.mtimeNs(), children, null) : folder;
  }

  private Node node(Node node) throws SnapshotException, InterruptedException {
    if (node instanceof Node.Folder folder) {
      return folder(folder);
    }
    if (node instanceof Node.File file) {
      return new Node.File(file.mode(), file.mtimeNs(), file.bytes(), pieces(file.content()));
    }
    return node;
  }

  private List<Piece> pieces(List<Piece> pieces) throws SnapshotException, InterruptedException {
    List<Piece> carried = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      carried.add(isOld(piece.location()) ? renewed(piece) : piece);
    }
    return carried;
  }

  private Piece renewed(Piece old) throws SnapshotException, InterruptedException {
    Piece known = renewed.get(old);
    if (known == null) {
      known = renewer.renew(old);
      renewed.put(old, known);
    }
    return known;
  }

  private boolean isOld(@Nullable Stored stored) {
    return stored != null && isOld(stored.at());
  }

  private boolean isOld(@Nullable Location location) {
    return location != null && renewal.due(location, nowMs);
  }
}
