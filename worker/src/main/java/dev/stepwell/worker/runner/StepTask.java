package dev.stepwell.worker.runner;

import dev.stepwell.protocol.StepKind;
import dev.stepwell.worker.sandbox.StepLimits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step for a runner. Not to be changed once it is handed over, its arrays included.
 *
 * @param kind what to run
 * @param step the step's number in its session, from 1; tracebacks name the source by it
 * @param source Python source or a shell command line; empty for {@link StepKind#ARGV}
 * @param argv the program and its arguments; empty for the other kinds
 * @param stdin what the step reads from standard input
 * @param environment variables beside the sandbox's own
 * @param limits what the step may use
 * @param snapshot the session's state; null or empty for none yet
 * @param keepsState whether the step shall leave a snapshot; only Python steps do
 */
@SuppressWarnings("ArrayRecordComponent") // Tasks are run, never compared.
public record StepTask(
    StepKind kind,
    long step,
    String source,
    List<String> argv,
    byte[] stdin,
    Map<String, String> environment,
    StepLimits.Bounds limits,
    byte @Nullable [] snapshot,
    boolean keepsState) {
  private static final byte[] NOTHING = new byte[0];

  public StepTask {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    if (kind == StepKind.ARGV && argv.isEmpty()) {
      throw new IllegalArgumentException("a step of kind ARGV needs a program");
    }
  }

  /** What the runner restores; empty for nothing. Only Python steps are given a snapshot. */
  byte[] restored() {
    return snapshot == null || kind != StepKind.PYTHON ? NOTHING : snapshot;
  }

  /** The most bytes of snapshot that the step may leave; 0 for no snapshot. */
  long stateBytes() {
    return keepsState && kind == StepKind.PYTHON ? limits.stateBytes() : 0;
  }
}
