package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.runner.RunnerStarter;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts sandboxes, one at a time. Runs on a thread of its own that lives until the pool's last
 * sandbox is gone: some backends tie a sandbox's life to the thread that made it.
 */
final class Creator implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Creator.class);

  private static final double BACKOFF_FACTOR = 2;
  private static final double BACKOFF_VARIANCE = 0.5;

  private final Ledger ledger;
  private final RunnerStarter starter;
  private final Retry retry;
  private final LongSupplier nanoTime;

  Creator(Ledger ledger, RunnerStarter starter, PoolSettings.Retry retry, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.starter = starter;
    this.retry = Retry.of("start a sandbox", retryConfig(retry));
    this.nanoTime = nanoTime;
  }

  private static RetryConfig retryConfig(PoolSettings.Retry retry) {
    return RetryConfig.custom()
        .maxAttempts(retry.attempts())
        .intervalFunction(
            IntervalFunction.ofExponentialRandomBackoff(
                retry.backoffMs(), BACKOFF_FACTOR, BACKOFF_VARIANCE))
        .retryOnException(e -> e instanceof SandboxException failure && !failure.permanent())
        .build();
  }

  @Override
  public void run() {
    for (Entry entry = ledger.nextCreation(); entry != null; entry = ledger.nextCreation()) {
      create(entry);
    }
  }

  private void create(Entry entry) {
    long begunNs = nanoTime.getAsLong();
    ReadyRunner runner = start(entry);
    if (runner != null) {
      ledger.started(entry, runner, nanoTime.getAsLong() - begunNs);
    }
  }

  /** Null if there is none to be had, which the ledger then knows. */
  private @Nullable ReadyRunner start(Entry entry) {
    Profile profile = entry.profile();
    try {
      return retry.executeCheckedSupplier(() -> starter.start(profile));
    } catch (SandboxException e) {
      log.warn("profile {}: no sandbox could be started", profile.name(), e);
      ledger.failed(entry, e);
    } catch (InterruptedException e) {
      // Only closing interrupts. The flag stays, so that nothing is begun any more.
      Thread.currentThread().interrupt();
      ledger.failed(entry, SandboxException.passing("interrupted while it was started", e));
    } catch (Throwable e) {
      // Whatever it is, this thread must live on: sandboxes may depend on it.
      log.error("profile {}: unexpected failure to start a sandbox", profile.name(), e);
      ledger.failed(entry, SandboxException.permanent("unexpected failure: " + e, e));
    }
    return null;
  }
}
