package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request on its way through a step. Not thread-safe: owned by the slot thread that runs it. */
final class StepRun {
  /** Stands for all names where a whole snapshot is lost. */
  private static final String EVERYTHING = "*";

  private final ExecutionRequest request;
  private final Assignment assignment;
  private final ResultDraft draft;
  private final Stopwatch watch;
  private final RunningStep step;
  private final SnapshotStore snapshots;
  private @Nullable PendingSnapshot newSnapshot;

  StepRun(
      ExecutionRequest request,
      Assignment assignment,
      ResultDraft draft,
      Stopwatch watch,
      RunningStep step,
      SnapshotStore snapshots) {
    this.request = request;
    this.assignment = assignment;
    this.draft = draft;
    this.watch = watch;
    this.step = step;
    this.snapshots = snapshots;
    if (!request.oneShot()) {
      draft.state(unchanged(List.of()));
    }
  }

  ExecutionRequest request() {
    return request;
  }

  ResultDraft draft() {
    return draft;
  }

  Stopwatch watch() {
    return watch;
  }

  RunningStep step() {
    return step;
  }

  int partition() {
    return assignment.arrival().lease().partition();
  }

  /** The number of this step in its session; 1 for a one-shot. */
  long number() {
    Head head = assignment.head();
    return head == null ? 1 : head.step() + 1;
  }

  /** Where the state that the step starts from lies; null for none. */
  @Nullable Stored startsFrom() throws SnapshotException, InterruptedException {
    String base = request.base();
    if (base != null) {
      return Bases.check(base, "base", snapshots);
    }
    SnapshotReference before = snapshot();
    return before == null ? null : References.stored(before);
  }

  /** The session's snapshot before this step; null for none. */
  private @Nullable SnapshotReference snapshot() {
    Head head = assignment.head();
    return head == null || request.oneShot() ? null : head.snapshot();
  }

  /** Whether the step is to seed its random streams anew. */
  boolean reseed() {
    Head head = assignment.head();
    return head != null && head.reseed();
  }

  @Nullable PendingSnapshot newSnapshot() {
    return newSnapshot;
  }

  /** The step has left a snapshot, which becomes the session's. */
  void saved(PendingSnapshot snapshot, List<LostValue> lost) {
    newSnapshot = snapshot;
    draft.state(StateReports.saved(snapshot, lost));
  }

  /** Nobody will commit what the step left. */
  void discard() {
    if (newSnapshot != null) {
      newSnapshot.close();
    }
  }

  /** The step has left no snapshot though it came to its end: all that it changed is lost. */
  void unsaved(String reason, List<LostValue> lost) {
    List<LostValue> told = new ArrayList<>();
    told.add(
        new LostValue(
            EVERYTHING,
            EVERYTHING,
            "snapshot",
            reason,
            "the next step sees what the one before left"));
    told.addAll(lost);
    draft.state(unchanged(told));
  }

  void cancelled(boolean codeRan) {
    String message =
        codeRan
            ? "cancelled while it ran; its output until then is kept, its state is not"
            : "cancelled before it started; the code has not run";
    draft.error(Outcome.CANCELLED, new ResultError(ErrorCode.CANCELLED, message, null, !codeRan));
  }

  private StateReport unchanged(List<LostValue> lost) {
    return StateReports.unchanged(snapshot(), lost);
  }
}
