package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the idle sandboxes: removes what is dead, expired or no longer needed. Runs on a
 * thread of its own until the pool closes.
 */
final class Housekeeper implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeper.class);

  /** Bounds by how much a lifetime and a pause after a failure grow. */
  private static final long INTERVAL_MS = 250;

  private final Ledger ledger;
  private final Predicate<ReadyRunner> alive;
  private final CountDownLatch closing;

  Housekeeper(Ledger ledger, Predicate<ReadyRunner> alive, CountDownLatch closing) {
    this.ledger = ledger;
    this.alive = alive;
    this.closing = closing;
  }

  @Override
  public void run() {
    try {
      while (!closing.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
        tidy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One round. Takers find every idle sandbox but the one being looked at. */
  void tidy() {
    for (Entry entry : ledger.due()) {
      if (ledger.reserve(entry)) {
        ledger.release(entry, alive(entry.runner()));
      }
    }
    ledger.wakeCreators();
  }

  /** What can't be asked counts as dead. */
  boolean alive(ReadyRunner runner) {
    boolean answer;
    try {
      answer = alive.test(runner);
    } catch (RuntimeException e) {
      log.warn("sandbox {} can't be asked whether it is alive", runner.id(), e);
      return false;
    }
    if (!answer) {
      log.warn("sandbox {} died before it was used", runner.id());
    }
    return answer;
  }
}
