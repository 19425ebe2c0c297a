package dev.stepwell.worker.pool;

import dev.stepwell.worker.sandbox.SandboxException;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** One taker. Guarded by the {@link Ledger}'s lock, whose condition it waits on. */
final class Waiter {
  private final Shelf shelf;
  private final long ticket;
  private final long timeoutNs;
  private final Condition answered;
  private long remainingNs;
  private @Nullable Entry entry;
  private @Nullable SandboxException failure;
  private boolean dismissed;

  /**
   * @param ticket rises with every taker, so that the lesser one came first
   * @param timeoutNs how long it waits, all its waits together
   */
  Waiter(Shelf shelf, long ticket, long timeoutNs, Condition answered) {
    this.shelf = shelf;
    this.ticket = ticket;
    this.timeoutNs = timeoutNs;
    this.remainingNs = timeoutNs;
    this.answered = answered;
  }

  void give(Entry given) {
    entry = given;
    answered.signal();
  }

  void fail(SandboxException why) {
    failure = why;
    answered.signal();
  }

  void dismiss() {
    dismissed = true;
    answered.signal();
  }

  /** Waits for an answer, at most until the time is up. */
  void await() throws InterruptedException {
    while (entry == null && failure == null && !dismissed && remainingNs > 0) {
      remainingNs = answered.awaitNanos(remainingNs);
    }
  }

  Shelf shelf() {
    return shelf;
  }

  long ticket() {
    return ticket;
  }

  long timeoutNs() {
    return timeoutNs;
  }

  /** Takes away what was given; null for nothing. */
  @Nullable Entry collect() {
    Entry given = entry;
    entry = null;
    return given;
  }

  @Nullable SandboxException failure() {
    return failure;
  }
}
