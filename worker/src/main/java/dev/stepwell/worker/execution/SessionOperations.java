package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.worker.sandbox.StateLimits;
import dev.stepwell.worker.snapshot.Histories;
import dev.stepwell.worker.snapshot.Making;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.RefusedPathException;
import dev.stepwell.worker.workspace.TreeEditor;
import dev.stepwell.worker.workspace.Trees;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does what changes or tells of a session without running code. Immutable and thread-safe; blocks
 * the calling slot thread.
 */
final class SessionOperations {
  private final StateParts state;
  private final Histories histories;
  private final WorkspaceReader reader;
  private final StateLimits limits;
  private final Clock clock;

  /**
   * @param limits what a workspace may hold
   */
  SessionOperations(StateParts state, StateLimits limits, Clock clock) {
    this.state = state;
    this.histories = new Histories(state.snapshots());
    this.reader = new WorkspaceReader(state.pieces());
    this.limits = limits;
    this.clock = clock;
  }

  /**
   * What is to become of a session, and what is answered; immutable.
   *
   * @param step the number of the session's last step
   * @param answer what a question is answered with; null for none
   * @param change what changes; null for nothing
   */
  record Done(long step, @Nullable SessionAnswer answer, @Nullable Change change) {}

  /**
   * A change of a session; immutable.
   *
   * @param ended whether the session is no more
   * @param snapshot its new state; null for the one that {@code reference} names
   * @param reference where its state is already; null for none
   * @param reseed whether its next step seeds its random streams anew
   */
  record Change(
      boolean ended,
      @Nullable PendingSnapshot snapshot,
      @Nullable SnapshotReference reference,
      boolean reseed) {
    static final Change END = new Change(true, null, null, false);
  }

  /**
   * Does it.
   *
   * @param head the session's; null where there is no such session
   * @throws InvalidMessageException if it can't be done, naming why
   * @throws SnapshotException if state can't be read or stored
   */
  Done run(SessionRequest request, @Nullable Head head)
      throws SnapshotException, InterruptedException {
    SessionOperation operation = request.operation();
    if (operation instanceof SessionOperation.Fork fork) {
      return fork(fork, request, head);
    }
    if (operation instanceof SessionOperation.End) {
      known(request, head);
      return new Done(step(head), null, Change.END);
    }
    if (operation instanceof SessionOperation.Reset) {
      return reset(request, known(request, head));
    }
    if (operation instanceof SessionOperation.PutFiles put) {
      return put(put, request, head);
    }
    if (operation instanceof SessionOperation.RemoveFiles remove) {
      return remove(remove, request, known(request, head));
    }
    return new Done(step(head), ask(request, operation, head), null);
  }

  private SessionAnswer ask(SessionRequest request, SessionOperation operation, @Nullable Head head)
      throws SnapshotException, InterruptedException {
    if (operation instanceof SessionOperation.GetFile get) {
      return reader.get(get, snapshot(get.base(), request, head));
    }
    if (operation instanceof SessionOperation.ListFiles list) {
      return reader.list(list, snapshot(list.base(), request, head));
    }
    if (operation instanceof SessionOperation.Locate locate) {
      return locate(locate, known(request, head));
    }
    if (operation instanceof SessionOperation.History history) {
      return history(history, known(request, head));
    }
    throw new IllegalStateException("an operation without a way: " + operation);
  }

  private static long step(@Nullable Head head) {
    return head == null ? 0 : head.step();
  }

  private static Head known(SessionRequest request, @Nullable Head head) {
    if (head == null) {
      throw new InvalidMessageException(
          ErrorCode.SESSION_UNKNOWN,
          "sessionId",
          "there is no session '" + request.sessionId() + "': it has had no step, or has ended");
    }
    return head;
  }

  // What changes a session.

  private Done fork(SessionOperation.Fork fork, SessionRequest request, @Nullable Head head)
      throws SnapshotException, InterruptedException {
    if (head != null) {
      throw new InvalidMessageException(
          ErrorCode.SESSION_EXISTS,
          "sessionId",
          "there is a session '" + request.sessionId() + "' already; fork into a new name");
    }
    Snapshot base = based(fork.base(), "operation.base");
    SnapshotReference reference = References.head(base.stored(), base.size());
    return new Done(base.making().step(), null, new Change(false, null, reference, fork.reseed()));
  }

  private Done reset(SessionRequest request, Head head)
      throws SnapshotException, InterruptedException {
    try (Checkout checkout = checkout(head)) {
      checkout.files(Node.Folder.EMPTY);
      return changed(request, head, checkout, SessionVariables.NONE);
    }
  }

  private Done put(SessionOperation.PutFiles put, SessionRequest request, @Nullable Head head)
      throws SnapshotException, InterruptedException {
    try (Checkout checkout = checkout(head)) {
      checkout.put(put.files(), clock.millis());
      WorkspaceCaps.check(checkout.files(), limits, "operation.files");
      return changed(request, head, checkout, checkout.variables());
    } catch (RefusedPathException e) {
      throw refused("operation.files", e);
    }
  }

  private Done remove(SessionOperation.RemoveFiles remove, SessionRequest request, Head head)
      throws SnapshotException, InterruptedException {
    try (Checkout checkout = checkout(head)) {
      TreeEditor editor = new TreeEditor(checkout.files());
      for (String path : remove.paths()) {
        if (Trees.find(checkout.files(), path) == null) {
          throw WorkspaceReader.notFound("operation.paths", path);
        }
        editor.remove(path);
      }
      checkout.files(editor.tree());
      return changed(request, head, checkout, checkout.variables());
    } catch (RefusedPathException e) {
      throw refused("operation.paths", e);
    }
  }

  /** A change counts as a step, so that the state before it and after it have their numbers. */
  private Done changed(
      SessionRequest request, @Nullable Head head, Checkout checkout, SessionVariables variables)
      throws SnapshotException, InterruptedException {
    long step = step(head) + 1;
    Making making =
        new Making(step, request.requestId(), Outcome.COMPLETED.name(), clock.millis(), 0);
    PendingSnapshot pending = checkout.checkIn(making, variables);
    boolean reseed = head != null && head.reseed();
    return new Done(step, null, new Change(false, pending, null, reseed));
  }

  private Checkout checkout(@Nullable Head head) throws SnapshotException, InterruptedException {
    SnapshotReference at = head == null ? null : head.snapshot();
    return Checkout.open(state, at == null ? null : References.stored(at));
  }

  private static InvalidMessageException refused(String field, RefusedPathException why) {
    return new InvalidMessageException(
        ErrorCode.FILE_REFUSED, field, String.valueOf(why.getMessage()));
  }

  // What only asks.

  private SessionAnswer locate(SessionOperation.Locate locate, Head head)
      throws SnapshotException, InterruptedException {
    SnapshotReference newest = head.snapshot();
    Long step = locate.step();
    var found =
        newest == null
            ? null
            : histories.after(References.stored(newest), step == null ? Long.MAX_VALUE : step);
    if (found == null || (step != null && step > head.step())) {
      throw new InvalidMessageException(
          ErrorCode.STEP_UNKNOWN,
          "operation.step",
          "the session's last step is "
              + head.step()
              + ", and it has no state of step "
              + step
              + " or an earlier one");
    }
    return new SessionAnswer.Located(References.text(found.at()), found.making().step());
  }

  private SessionAnswer history(SessionOperation.History history, Head head)
      throws SnapshotException, InterruptedException {
    SnapshotReference newest = head.snapshot();
    if (newest == null) {
      return new SessionAnswer.History(List.of(), false);
    }
    var found =
        histories.list(References.stored(newest), history.beforeStep(), history.limit() + 1);
    List<HistoryEntry> entries = found.stream().limit(history.limit()).map(this::entry).toList();
    return new SessionAnswer.History(entries, found.size() > history.limit());
  }

  private HistoryEntry entry(dev.stepwell.worker.snapshot.HistoryEntry entry) {
    Making making = entry.making();
    return new HistoryEntry(
        making.step(),
        entry.at().id().hex(),
        making.requestId(),
        Outcome.valueOf(making.outcome()),
        making.finishedAtMs(),
        entry.liveBytes(),
        !state.renewal().expired(entry.at().at(), clock.millis()));
  }

  /** The state that a question is about: that of a reference, or the session's newest. */
  private Snapshot snapshot(@Nullable String base, SessionRequest request, @Nullable Head head)
      throws SnapshotException, InterruptedException {
    if (base != null) {
      return based(base, "operation.base");
    }
    SnapshotReference newest = known(request, head).snapshot();
    if (newest == null) {
      throw new InvalidMessageException(
          ErrorCode.STEP_UNKNOWN, "sessionId", "the session has no state yet");
    }
    return state.snapshots().read(References.stored(newest));
  }

  private Snapshot based(String base, String field) throws SnapshotException, InterruptedException {
    return Bases.read(base, field, state.snapshots());
  }

  /** The report of a session's state, after a change or without one. */
  static StateReport report(@Nullable Head head, @Nullable Change change) {
    PendingSnapshot pending = change == null ? null : change.snapshot();
    if (pending != null) {
      return StateReports.saved(pending, List.of());
    }
    SnapshotReference reference =
        change != null ? change.reference() : head == null ? null : head.snapshot();
    return StateReports.unchanged(reference, List.of());
  }
}
