package dev.stepwell.worker.execution;

import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.StateSize;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What results say of a session's state. */
final class StateReports {
  private StateReports() {}

  /** A new state. */
  static StateReport saved(PendingSnapshot snapshot, List<LostValue> lost) {
    return report(snapshot.id(), true, snapshot.size(), snapshot.newBytes(), lost);
  }

  /** The state that was there before; null for none. */
  static StateReport unchanged(@Nullable SnapshotReference before, List<LostValue> lost) {
    return before == null
        ? report(null, false, StateSize.NONE, 0, lost)
        : report(before.id(), false, before.state(), 0, lost);
  }

  private static StateReport report(
      @Nullable String id, boolean saved, StateSize size, long newBytes, List<LostValue> lost) {
    return new StateReport(
        id,
        saved,
        size.variableBytes(),
        newBytes,
        size.kept(),
        lost,
        size.files(),
        size.fileBytes());
  }
}
