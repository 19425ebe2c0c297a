package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.sandbox.Profile;
import org.jspecify.annotations.Nullable;

/** One sandbox in the pool's books. Every field is guarded by the {@link Ledger}'s lock. */
final class Entry {
  private final Shelf shelf;
  private final long serial;

  private EntryState state = EntryState.STARTING;
  private @Nullable ReadyRunner runner;
  private long sinceNs;
  private long examinedNs;
  private long expiresAtNs;

  /**
   * @param serial rises with every entry, so that the lesser one is older
   */
  Entry(Shelf shelf, long serial, long nowNs) {
    this.shelf = shelf;
    this.serial = serial;
    this.sinceNs = nowNs;
    this.examinedNs = nowNs;
  }

  /** The one way to change the state. Called by {@link Shelf#move} alone, which keeps the count. */
  void become(EntryState next, long nowNs) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(
          "sandbox %d is %s, can't be %s".formatted(serial, state, next));
    }
    // Being looked at does not make a sandbox young again.
    if (next != EntryState.RESERVED && state != EntryState.RESERVED) {
      sinceNs = nowNs;
    }
    if (next == EntryState.IDLE) {
      examinedNs = nowNs;
    }
    state = next;
  }

  void startedAs(ReadyRunner started, long expiryNs) {
    runner = started;
    expiresAtNs = expiryNs;
  }

  Shelf shelf() {
    return shelf;
  }

  Profile profile() {
    return shelf.profile();
  }

  long serial() {
    return serial;
  }

  EntryState state() {
    return state;
  }

  /**
   * The runner; not before the entry has been started.
   *
   * @throws IllegalStateException if there is none yet
   */
  ReadyRunner runner() {
    if (runner == null) {
      throw new IllegalStateException("sandbox %d has not been started".formatted(serial));
    }
    return runner;
  }

  /** How long it has been in its state; RESERVED counts as IDLE. */
  long ageNs(long nowNs) {
    return nowNs - sinceNs;
  }

  /** How long ago it was last seen alive: started, or looked at by the housekeeper. */
  long unexaminedNs(long nowNs) {
    return nowNs - examinedNs;
  }

  /** Whether an idle one is to be replaced. */
  boolean expired(long nowNs) {
    return expiresAtNs != Shelf.NEVER && nowNs - expiresAtNs >= 0;
  }
}
