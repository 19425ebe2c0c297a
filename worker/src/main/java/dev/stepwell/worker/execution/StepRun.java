package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.worker.commit.NewSnapshot;
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
  private @Nullable NewSnapshot newSnapshot;

  StepRun(
      ExecutionRequest request,
      Assignment assignment,
      ResultDraft draft,
      Stopwatch watch,
      RunningStep step) {
    this.request = request;
    this.assignment = assignment;
    this.draft = draft;
    this.watch = watch;
    this.step = step;
    if (!request.oneShot()) {
      draft.state(unchanged());
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

  /** The snapshot that the step starts from; null for none. */
  @Nullable SnapshotReference snapshot() {
    Head head = assignment.head();
    return head == null ? null : head.snapshot();
  }

  @Nullable NewSnapshot newSnapshot() {
    return newSnapshot;
  }

  /** The step has left a snapshot, which becomes the session's. */
  void saved(NewSnapshot snapshot, List<LostValue> lost) {
    newSnapshot = snapshot;
    draft.state(
        new StateReport(snapshot.id(), true, snapshot.bytes().length, snapshot.kept(), lost));
  }

  /** The step has left no snapshot though it came to its end: all that it changed is lost. */
  void unsaved(String reason) {
    SnapshotReference before = snapshot();
    LostValue everything =
        new LostValue(
            EVERYTHING,
            EVERYTHING,
            "snapshot",
            reason,
            "the next step sees what the one before left");
    draft.state(
        new StateReport(
            before == null ? null : before.id(),
            false,
            before == null ? 0 : before.bytes(),
            before == null ? 0 : before.kept(),
            List.of(everything)));
  }

  void cancelled(boolean codeRan) {
    String message =
        codeRan
            ? "cancelled while it ran; its output until then is kept, its state is not"
            : "cancelled before it started; the code has not run";
    draft.error(Outcome.CANCELLED, new ResultError(ErrorCode.CANCELLED, message, null, !codeRan));
  }

  private StateReport unchanged() {
    SnapshotReference before = snapshot();
    return before == null
        ? new StateReport(null, false, 0, 0, List.of())
        : new StateReport(before.id(), false, before.bytes(), before.kept(), List.of());
  }
}
