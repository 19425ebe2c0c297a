package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;

/** Makes a sandbox with a booted runner in it. Implementations are thread-safe. */
public interface RunnerStarter {
  /**
   * Blocks until the runner waits for its step.
   *
   * @throws SandboxException if there is none to be had; nothing is left behind
   * @throws InterruptedException if the thread was interrupted; nothing is left behind
   */
  ReadyRunner start(Profile profile) throws SandboxException, InterruptedException;
}
