package dev.stepwell.worker.runner;

/**
 * How long the worker waits for what is not the step's own time; immutable. All in milliseconds.
 *
 * @param bootMs for a started sandbox to compile a runner, or to say that it is ready
 * @param aliveMs for an idle runner to answer that it is still there
 * @param restoreMs for a snapshot to be transferred and read back
 * @param saveMs for a snapshot to be made and transferred
 * @param endMs for the end of a step that was killed; the sandbox is destroyed after that
 */
public record RunnerTimeouts(long bootMs, long aliveMs, long restoreMs, long saveMs, long endMs) {
  /** Generous enough for a loaded machine; each only bounds what went wrong. */
  public static final RunnerTimeouts DEFAULTS =
      new RunnerTimeouts(30_000, 1_000, 30_000, 30_000, 2_000);
}
