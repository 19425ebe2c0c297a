package dev.stepwell.cli.local;

import dev.stepwell.worker.Worker;
import dev.stepwell.worker.config.WorkerConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A worker in this process; thread-safe. The one place that commands know workers by. */
public final class LocalWorker implements AutoCloseable {
  private final Worker worker;

  private LocalWorker(Worker worker) {
    this.worker = worker;
  }

  /**
   * Starts a worker.
   *
   * @throws dev.stepwell.worker.WorkerStartException saying why it can't start
   */
  public static LocalWorker start(WorkerConfig config) throws InterruptedException {
    return new LocalWorker(Worker.start(config));
  }

  /** Which backend it uses, and why. */
  public String backendDescription() {
    return worker.backendDescription();
  }

  /** Waits until it takes requests; gives whether it does within the time. */
  boolean awaitReady(Duration timeout) throws InterruptedException {
    return worker.awaitReady(timeout);
  }

  /** Completes with what stopped it; never while all is well. */
  CompletableFuture<RuntimeException> failure() {
    return worker.failure();
  }

  /** Waits for what stops it. */
  public RuntimeException awaitFailure() {
    return worker.failure().join();
  }

  /** Stops it, giving what runs the time that its configuration says. */
  @Override
  public void close() {
    worker.close();
  }
}
