package dev.stepwell.worker.pool;

import org.jspecify.annotations.Nullable;

/** A pool has no sandbox to give, though its backend may be well. */
public abstract sealed class PoolException extends Exception
    permits PoolExhaustedException, PoolClosedException {
  private static final long serialVersionUID = 1L;

  PoolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
