package dev.stepwell.worker.archive;

import dev.stepwell.worker.snapshot.HistoryEntry;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists what is left of a session's snapshots. Used by one thread, for one session.
 *
 * <p>Several sessions of one name may have followed one another, so all heads are looked at, the
 * newest first; most of them name what a later one's past has told already.
 */
final class History {
  private final SnapshotStore snapshots;
  private final Map<Integer, Long> begins;
  private final Set<Location> seen = new HashSet<>();

  /**
   * @param begins by partition: the first offset that the blob topic still has
   */
  History(SnapshotStore snapshots, Map<Integer, Long> begins) {
    this.snapshots = snapshots;
    this.begins = begins;
  }

  /**
   * What can still be had, the earliest first.
   *
   * @param named what heads have named, the earliest first
   * @throws SnapshotException if something can't be read now
   */
  List<RetainedSnapshot> retained(List<Stored> named)
      throws SnapshotException, InterruptedException {
    List<RetainedSnapshot> newestFirst = new ArrayList<>();
    for (int i = named.size() - 1; i >= 0; i--) {
      Stored head = named.get(i);
      if (!seen.contains(head.at()) && isThere(head)) {
        walk(head, newestFirst);
      }
    }
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  private void walk(Stored newest, List<RetainedSnapshot> into)
      throws SnapshotException, InterruptedException {
    Stored page = newest;
    while (page != null && isThere(page)) {
      Snapshot at;
      try {
        at = snapshots.read(page);
      } catch (SnapshotException e) {
        if (e.permanent()) {
          return;
        }
        throw e;
      }
      note(new HistoryEntry(at.making(), at.stored(), at.variables().liveBytes()), into);
      at.past().recent().forEach(entry -> note(entry, into));
      page = at.past().older();
    }
  }

  private void note(HistoryEntry entry, List<RetainedSnapshot> into) {
    if (isThere(entry.at()) && seen.add(entry.at().at())) {
      into.add(
          new RetainedSnapshot(
              entry.making().step(),
              entry.making().requestId(),
              entry.at().id().hex(),
              References.text(entry.at())));
    }
  }

  private boolean isThere(Stored stored) {
    return stored.at().offset() >= begins.getOrDefault(stored.at().partition(), 0L);
  }
}
