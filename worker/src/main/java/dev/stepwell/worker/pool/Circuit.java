package dev.stepwell.worker.pool;

import dev.stepwell.worker.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a pool from hammering a profile that can't be started: open from a failure until the pause
 * is over. Guarded by the {@link Ledger}'s lock.
 */
final class Circuit {
  private final long pauseNs;
  private @Nullable SandboxException failure;
  private long openUntilNs;

  Circuit(long pauseNs) {
    this.pauseNs = pauseNs;
  }

  void failed(SandboxException newest, long nowNs) {
    failure = newest;
    openUntilNs = nowNs + pauseNs;
  }

  void succeeded() {
    failure = null;
  }

  boolean open(long nowNs) {
    return failure != null && nowNs - openUntilNs < 0;
  }

  /** The newest failure since the last success; null for none. */
  @Nullable SandboxException failure() {
    return failure;
  }

  /** What a taker can be told at once, because waiting is of no use; null if it is. */
  @Nullable SandboxException permanentFailure(long nowNs) {
    return open(nowNs) && failure != null && failure.permanent() ? failure : null;
  }
}
