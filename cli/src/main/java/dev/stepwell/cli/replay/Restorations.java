package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedSnapshot;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Restores snapshots one after another, on a thread of its own; thread-safe. */
final class Restorations implements AutoCloseable {
  private final Restorer restorer;
  private final Recorder recorder;
  private final Events events;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task, "replay restores snapshots");
            made.setDaemon(true);
            return made;
          });

  Restorations(Restorer restorer, Recorder recorder, Events events) {
    this.restorer = restorer;
    this.recorder = recorder;
    this.events = events;
  }

  /** Takes what came of a restoration, on the thread that drives the replay. */
  @FunctionalInterface
  interface Restored {
    /**
     * It is over.
     *
     * @param reference what forks can start from; null where it couldn't be restored, which a
     *     person was told
     */
    void take(@Nullable String reference);
  }

  void restore(RecordedSnapshot snapshot, Restored restored) {
    thread.execute(
        () -> {
          try {
            String reference = restorer.restore(snapshot);
            events.add(() -> restored.take(reference));
          } catch (IOException e) {
            recorder.note("snapshot " + snapshot.id() + " can't be restored: " + e.getMessage());
            events.add(() -> restored.take(null));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error e) {
            events.fail(e);
          }
        });
  }

  /** Drops what isn't restored yet. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
