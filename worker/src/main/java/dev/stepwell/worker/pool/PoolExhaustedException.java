package dev.stepwell.worker.pool;

import dev.stepwell.worker.sandbox.SandboxException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * No sandbox became free in time. The message carries the pool's figures and what the cause says;
 * the cause is the newest failure to start one, if there was any since one was last started.
 */
public final class PoolExhaustedException extends PoolException {
  private static final long serialVersionUID = 1L;

  private final transient PoolFigures figures;

  PoolExhaustedException(
      String profile, long timeoutNs, PoolFigures figures, @Nullable SandboxException cause) {
    super(
        "no sandbox of profile %s within %d ms: %s%s"
            .formatted(
                profile,
                TimeUnit.NANOSECONDS.toMillis(timeoutNs),
                figures,
                cause == null ? "" : "; the last one could not be started: " + cause.getMessage()),
        cause);
    this.figures = figures;
  }

  /** The pool when the taker gave up. */
  public PoolFigures figures() {
    return figures;
  }
}
