package dev.stepwell.worker.snapshot;

import dev.stepwell.protocol.StateSize;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.Trees;

/**
 * A session's state after a step, as it was committed; immutable.
 *
 * @param making how it came to be
 * @param variables its variables
 * @param files its workspace
 * @param past the snapshots before it
 * @param stored its name and where it was written down
 */
public record Snapshot(
    Making making, SessionVariables variables, Node.Folder files, Past past, Stored stored) {

  /** Its name: what variables and files say, and nothing of when or where. */
  public String id() {
    return stored.id().hex();
  }

  /** What it is a snapshot of. */
  public StateSize size() {
    Trees.Extent extent = Trees.extent(files);
    return new StateSize(variables.liveBytes(), variables.kept(), extent.entries(), extent.bytes());
  }

  HistoryEntry entry() {
    return new HistoryEntry(making, stored, variables.liveBytes());
  }

  /** The name of a snapshot of these. */
  public static PieceId id(PieceId variables, PieceId files) {
    return Encoder.ofContent().id(variables).id(files).id();
  }

  /** How much memory it takes, roughly. */
  long weight() {
    return 1024L + variables.body().length + 100L * variables.pieces().size();
  }
}
