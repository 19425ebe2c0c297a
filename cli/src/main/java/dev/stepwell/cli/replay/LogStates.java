package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.States;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.cli.run.RunId;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.worker.archive.ArchiveException;
import dev.stepwell.worker.archive.RetainedSnapshot;
import dev.stepwell.worker.archive.SnapshotArchive;
import dev.stepwell.worker.archive.SnapshotCopy;
import dev.stepwell.worker.archive.StateContents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what sessions hold: of the recording in the log, and now by asking for the state's
 * reference and reading it; thread-safe, blocks.
 */
final class LogStates implements States {
  private final RecordedLog log;
  private final SnapshotArchive archive;
  private final Courier courier;
  private final RunId run;

  /** The requests that were sent for the comparison of this thread. */
  private final ThreadLocal<List<String>> asked = ThreadLocal.withInitial(ArrayList::new);

  LogStates(RecordedLog log, SnapshotArchive archive, Courier courier, RunId run) {
    this.log = log;
    this.archive = archive;
    this.courier = courier;
    this.run = run;
  }

  /** What the comparison of this thread has found is written down. */
  void recorded() {
    asked.get().forEach(courier::finish);
    asked.get().clear();
  }

  @Override
  public @Nullable Contents recorded(String snapshotId) {
    try {
      RecordedSnapshot snapshot = log.snapshot(snapshotId);
      return snapshot == null
          ? null
          : contents(SnapshotArchive.contents(copy(snapshot), log::piece));
    } catch (IOException | ArchiveException e) {
      // Pieces that the log lacks; the difference says that it can't be told.
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  static SnapshotCopy copy(RecordedSnapshot snapshot) {
    return new SnapshotCopy(
        snapshot.id(), snapshot.step(), snapshot.description(), snapshot.pieces());
  }

  @Override
  public @Nullable Contents replayed(String sessionId, long step) {
    try {
      String reference = located(sessionId, step);
      if (reference == null) {
        reference = retained(sessionId, step);
      }
      return reference == null
          ? null
          : contents(SnapshotArchive.contents(archive.read(reference), archive.pieces(reference)));
    } catch (ArchiveException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private @Nullable String located(String sessionId, long step) throws InterruptedException {
    String id = run.of("locate." + step + "." + sessionId.substring(run.text().length() + 1));
    asked.get().add(id);
    try {
      Answer answer =
          courier
              .send(
                  new SessionRequest(id, sessionId, new SessionOperation.Locate(step), null, null))
              .join();
      return answer.result().session() instanceof SessionAnswer.Located located
          ? located.reference()
          : null;
    } catch (CompletionException | CourierException e) {
      return null;
    }
  }

  /** Of a session that has ended, which can't be asked any more. */
  private @Nullable String retained(String sessionId, long step)
      throws ArchiveException, InterruptedException {
    String found = null;
    for (RetainedSnapshot each :
        archive.retained(Set.of(sessionId)).getOrDefault(sessionId, List.of())) {
      if (each.step() <= step) {
        found = each.reference();
      }
    }
    return found;
  }

  private static Contents contents(StateContents state) {
    return new Contents(items(state.variables()), items(state.files()), items(state.settings()));
  }

  private static Map<String, Item> items(Map<String, StateContents.Item> items) {
    Map<String, Item> converted = new HashMap<>();
    items.forEach((name, item) -> converted.put(name, new Item(item.digest(), item.text())));
    return converted;
  }
}
