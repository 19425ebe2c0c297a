package dev.stepwell.worker.pool;

/** The pool has been closed, before or while a taker waited. */
public final class PoolClosedException extends PoolException {
  private static final long serialVersionUID = 1L;

  PoolClosedException(String profile) {
    super("no sandbox of profile %s: the pool is closed".formatted(profile), null);
  }
}
