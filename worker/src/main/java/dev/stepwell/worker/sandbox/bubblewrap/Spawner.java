package dev.stepwell.worker.sandbox.bubblewrap;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The one thread that starts sandboxes. Thread-safe.
 *
 * <p>"Die with the parent" means the thread that made the process, not the program it belongs to: a
 * sandbox started by a thread of the pool would die with that thread. This one lives as long as the
 * backend.
 */
final class Spawner {
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread created = new Thread(task, "stepwell-bubblewrap-spawner");
            created.setDaemon(true);
            return created;
          });

  /**
   * Starts the process and returns it, whether or not the caller is interrupted meanwhile: it takes
   * milliseconds, and a process nobody holds could not be ended.
   *
   * @throws IOException if it could not be started
   * @throws java.util.concurrent.RejectedExecutionException if this has been closed
   */
  Process start(ProcessBuilder builder) throws IOException {
    Future<Process> started = thread.submit(builder::start);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return started.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("starting a process failed", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the thread, and with it whatever it has started and is still running. Idempotent. */
  void close() {
    thread.shutdown();
  }
}
