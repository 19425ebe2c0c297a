package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Destroys sandboxes, one at a time, on a thread of its own until the pool's last one is gone. */
final class Destroyer implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Destroyer.class);

  private final Ledger ledger;

  Destroyer(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void run() {
    for (Entry entry = ledger.nextDestruction(); entry != null; entry = ledger.nextDestruction()) {
      destroy(entry.runner());
      ledger.gone(entry);
    }
  }

  /** Never throws: what can't be removed is left to the backend's reaper. */
  private static void destroy(ReadyRunner runner) {
    try {
      runner.destroy();
    } catch (RuntimeException | Error e) {
      log.error("sandbox {} could not be destroyed; the reaper will", runner.id(), e);
    }
  }
}
