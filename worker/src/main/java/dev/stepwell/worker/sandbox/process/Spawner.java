package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.Uninterrupted;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;

/**
 * The one thread that starts sandboxes. Thread-safe.
 *
 * <p>"Die with the parent" means the thread that made the process, not the program it belongs to: a
 * sandbox started by a thread of the pool would die with that thread. This one lives as long as the
 * backend.
 */
public final class Spawner implements AutoCloseable {
  /** Starting takes milliseconds, and all starts take turns; more means a machine out of order. */
  private static final long START_TIMEOUT_MS = 30_000;

  private final ExecutorService thread;

  /** Starts the thread; {@code backend} is part of its name. */
  public Spawner(String backend) {
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread created = new Thread(task, "stepwell-" + backend + "-spawner");
              created.setDaemon(true);
              return created;
            });
  }

  /**
   * Starts the process and returns it, whether or not the caller is interrupted meanwhile: it takes
   * milliseconds, and a process nobody holds could not be ended.
   *
   * @throws IOException if it could not be started
   * @throws java.util.concurrent.RejectedExecutionException if this has been closed
   */
  public Process start(ProcessBuilder builder) throws IOException {
    try {
      return Uninterrupted.get(thread.submit(builder::start), START_TIMEOUT_MS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("starting a process failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no process was started within " + START_TIMEOUT_MS + " ms", e);
    }
  }

  /** Ends the thread, and with it whatever it has started and is still running. Idempotent. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
