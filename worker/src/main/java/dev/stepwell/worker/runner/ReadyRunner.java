package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Sandbox;

/**
 * A booted runner in a sandbox, waiting for the one step it will ever run.
 *
 * <p>Owned by whoever holds it: the pool until it is taken, one execution thread after.
 */
public final class ReadyRunner {
  private final Sandbox sandbox;

  /** Wraps a sandbox whose runner has said that it is ready. */
  public ReadyRunner(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  /** The sandbox's id. */
  public String id() {
    return sandbox.id();
  }

  /** Whether the runner still waits for its step. Never blocks. */
  public boolean alive() {
    return true;
  }

  /** Ends the step that runs; what it printed is kept. */
  public void kill() {
    sandbox.destroy();
  }

  /** Ends the sandbox; see {@link Sandbox#destroy()}. */
  public void destroy() {
    sandbox.destroy();
  }
}
