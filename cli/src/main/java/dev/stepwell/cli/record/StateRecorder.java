package dev.stepwell.cli.record;

import dev.stepwell.cli.log.LogWriter;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.record.RecordOptions.States;
import dev.stepwell.cli.record.SeenSessions.Steps;
import dev.stepwell.worker.archive.ArchiveException;
import dev.stepwell.worker.archive.RetainedSnapshot;
import dev.stepwell.worker.archive.SnapshotArchive;
import dev.stepwell.worker.archive.SnapshotCopy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the snapshots that belong to recorded sessions; used by one thread. What can't be had is
 * counted, and the rest goes on.
 */
final class StateRecorder {
  private static final int BATCH = 50_000;
  private static final int TRIES = 3;
  private static final int REASONS = 10;

  /** So many snapshots one after the other that nothing answers for: the next won't do better. */
  private static final int SILENT = 3;

  private final SnapshotArchive archive;
  private final LogWriter log;
  private final Secrets secrets;
  private final Patience patience;
  private final Progress progress;
  private final Set<String> secretPieces = new HashSet<>();
  private final List<String> reasons = new ArrayList<>();
  private long secretSnapshots;
  private long unreadable;
  private int silentInARow;

  StateRecorder(
      SnapshotArchive archive,
      LogWriter log,
      Secrets secrets,
      Patience patience,
      Progress progress) {
    this.progress = progress;
    this.archive = archive;
    this.log = log;
    this.secrets = secrets;
    this.patience = patience;
  }

  RecordSummary.StateLosses losses() {
    return new RecordSummary.StateLosses(secretPieces.size(), secretSnapshots, unreadable, reasons);
  }

  void record(SeenSessions seen, States states) throws IOException, InterruptedException {
    Set<String> batch = new HashSet<>();
    for (String session : seen.sessions().keySet()) {
      batch.add(session);
      if (batch.size() == BATCH) {
        recordSessions(batch, seen, states);
        batch.clear();
      }
    }
    recordSessions(batch, seen, states);
    for (String base : seen.bases()) {
      recordBase(base);
    }
  }

  private void recordSessions(Set<String> sessions, SeenSessions seen, States states)
      throws IOException, InterruptedException {
    if (sessions.isEmpty() || patience.stopped()) {
      return;
    }
    Map<String, List<RetainedSnapshot>> retained =
        tried(
            "the snapshots of " + sessions.size() + " sessions", () -> archive.retained(sessions));
    if (retained == null) {
      return;
    }
    // In the order in which the sessions came, so that a log is the same each time.
    for (Map.Entry<String, Steps> session : seen.sessions().entrySet()) {
      List<RetainedSnapshot> all = retained.getOrDefault(session.getKey(), List.of());
      for (RetainedSnapshot each : wanted(all, session.getValue(), states)) {
        record(session.getKey(), each);
      }
    }
  }

  /** Of a session's snapshots, the earliest first, those that belong to its recorded steps. */
  static List<RetainedSnapshot> wanted(List<RetainedSnapshot> all, Steps steps, States states) {
    List<RetainedSnapshot> wanted = new ArrayList<>();
    RetainedSnapshot before = null;
    for (RetainedSnapshot each : all) {
      boolean start = steps.forked() ? each.step() <= steps.first() : each.step() < steps.first();
      if (start) {
        before = each;
      } else if (states == States.ALL && each.step() <= steps.last()) {
        wanted.add(each);
      }
    }
    if (before != null) {
      wanted.add(0, before);
    }
    return wanted;
  }

  /** A state that a request names by its reference, whichever session it is of. */
  private void recordBase(String reference) throws IOException, InterruptedException {
    if (patience.stopped()) {
      return;
    }
    RetainedSnapshot base = tried("the base " + reference, () -> archive.at(reference));
    if (base != null && !log.hasSnapshot(base.id())) {
      record("", base);
    }
  }

  private void record(String session, RetainedSnapshot snapshot)
      throws IOException, InterruptedException {
    if (patience.stopped()) {
      return;
    }
    String name = "the snapshot of step %d of session %s".formatted(snapshot.step(), session);
    SnapshotCopy copy = tried(name, () -> archive.read(snapshot.reference()));
    if (copy == null) {
      return;
    }
    if (secrets.isIn(copy.description())) {
      secretSnapshots++;
      return;
    }
    Boolean whole =
        tried(
            name,
            () -> {
              archive.pieces(snapshot.reference(), this::isWanted, this::piece);
              return true;
            });
    if (whole != null) {
      progress.done("snapshots");
      log.snapshot(
          new RecordedSnapshot(
              session, snapshot.step(), copy.id(), copy.description(), copy.pieces()));
    }
  }

  private boolean isWanted(String id) {
    return !secretPieces.contains(id) && !log.hasPiece(id);
  }

  private void piece(String id, byte[] content) throws IOException {
    if (secrets.isIn(content)) {
      secretPieces.add(id);
    } else {
      log.piece(id, content);
    }
  }

  /** Asks the archive, again if the broker was away; null where it was of no use. */
  private <T> @Nullable T tried(String what, Question<T> question)
      throws IOException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        T answer = question.ask();
        patience.heard();
        silentInARow = 0;
        return answer;
      } catch (ArchiveException e) {
        if (patience.stopped()) {
          return null;
        }
        if (patience.awaitBroker()) {
          // An outage counts as no try.
          i = 0;
        } else if (e.permanent() || i == TRIES) {
          leaveOut(what, e);
          return null;
        }
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  private void leaveOut(String what, ArchiveException why) {
    silentInARow = why.permanent() ? 0 : silentInARow + 1;
    if (silentInARow == SILENT) {
      throw new CommandException(
          "%s: %s. Record again when it answers, or without state by --state none"
              .formatted(what, why.getMessage()),
          why);
    }
    unreadable++;
    if (reasons.size() < REASONS) {
      reasons.add(what + ": " + why.getMessage());
    }
  }

  private interface Question<T> {
    T ask() throws ArchiveException, IOException, InterruptedException;
  }
}
