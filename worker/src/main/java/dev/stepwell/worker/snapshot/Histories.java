package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds a session's earlier snapshots. Thread-safe. */
public final class Histories {
  private final SnapshotStore snapshots;

  /** Reads from there. */
  public Histories(SnapshotStore snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * The session as it was after a step: the newest snapshot of that step or an earlier one.
   *
   * @param newest the session's newest snapshot
   * @return null if there is none so early
   * @throws SnapshotException if the past can't be read so far back
   */
  public @Nullable HistoryEntry after(Stored newest, long step)
      throws SnapshotException, InterruptedException {
    Snapshot at = snapshots.read(newest);
    if (at.making().step() <= step) {
      return at.entry();
    }
    while (true) {
      for (HistoryEntry entry : at.past().recent()) {
        if (entry.making().step() <= step) {
          return entry;
        }
      }
      Stored older = at.past().older();
      if (older == null) {
        return null;
      }
      at = snapshots.read(older);
    }
  }

  /**
   * Lists snapshots, newest first.
   *
   * @param beforeStep only those of earlier steps; null for all
   * @param limit how many at most
   */
  public List<HistoryEntry> list(Stored newest, @Nullable Long beforeStep, int limit)
      throws SnapshotException, InterruptedException {
    List<HistoryEntry> found = new ArrayList<>();
    Snapshot at = snapshots.read(newest);
    take(at.entry(), beforeStep, limit, found);
    while (found.size() < limit) {
      for (HistoryEntry entry : at.past().recent()) {
        take(entry, beforeStep, limit, found);
      }
      Stored older = at.past().older();
      if (older == null) {
        break;
      }
      at = snapshots.read(older);
    }
    return found;
  }

  private static void take(
      HistoryEntry entry, @Nullable Long beforeStep, int limit, List<HistoryEntry> into) {
    if (into.size() < limit && (beforeStep == null || entry.making().step() < beforeStep)) {
      into.add(entry);
    }
  }
}
