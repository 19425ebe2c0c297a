package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.States;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.cli.run.RunId;
import dev.stepwell.protocol.ExecutionResult;
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
  public @Nullable Contents replayed(ExecutionResult result) {
    String session = result.sessionId();
    Long step = result.step();
    if (session == null || step == null) {
      return null;
    }
    try {
      Contents found = contents(located(result, session, step), result);
      // A session that has ended can't be asked any more, and another one of its name has other
      // steps of the same numbers.
      return found == null ? contents(retained(result, session), result) : found;
    } catch (ArchiveException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Null where the reference is to something else. */
  private @Nullable Contents contents(@Nullable String reference, ExecutionResult result)
      throws ArchiveException, InterruptedException {
    if (reference == null) {
      return null;
    }
    SnapshotCopy found = archive.read(reference);
    return isOf(result, found.id())
        ? contents(SnapshotArchive.contents(found, archive.pieces(reference)))
        : null;
  }

  private static boolean isOf(ExecutionResult result, String snapshotId) {
    return result.state() != null && snapshotId.equals(result.state().snapshot());
  }

  private @Nullable String located(ExecutionResult result, String session, long step)
      throws InterruptedException {
    String id = run.of("locate." + result.requestId().substring(run.text().length() + 1));
    asked.get().add(id);
    try {
      Answer answer =
          courier
              .send(new SessionRequest(id, session, new SessionOperation.Locate(step), null, null))
              .join();
      return answer.result().session() instanceof SessionAnswer.Located located
          ? located.reference()
          : null;
    } catch (CompletionException | CourierException e) {
      return null;
    }
  }

  private @Nullable String retained(ExecutionResult result, String session)
      throws ArchiveException, InterruptedException {
    return archive.retained(Set.of(session)).getOrDefault(session, List.of()).stream()
        .filter(each -> isOf(result, each.id()))
        .map(RetainedSnapshot::reference)
        .findFirst()
        .orElse(null);
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
