package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;

/** Finds what clients refer to. */
final class Bases {
  private Bases() {}

  /**
   * The state that a client's reference names.
   *
   * @throws InvalidMessageException if it names none, or one that is gone
   * @throws SnapshotException if it can't be read now
   */
  static Stored check(String base, String field, SnapshotStore snapshots)
      throws SnapshotException, InterruptedException {
    return read(base, field, snapshots).stored();
  }

  /** The same, with what is there. */
  static Snapshot read(String base, String field, SnapshotStore snapshots)
      throws SnapshotException, InterruptedException {
    try {
      return snapshots.read(References.parse(base));
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(
          ErrorCode.BASE_INVALID, field, field + " is no reference that a worker has issued");
    } catch (SnapshotException e) {
      if (!e.permanent()) {
        throw e;
      }
      throw new InvalidMessageException(
          ErrorCode.BASE_INVALID, field, field + " names a state that is gone: " + e.getMessage());
    }
  }
}
