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
 * @param prelude Python source that runs before {@code source}, named by the same number; null for
 *     none, and for the other kinds
 * @param argv the program and its arguments; empty for the other kinds
 * @param stdin what the step reads from standard input
 * @param environment variables beside the sandbox's own
 * @param limits what the step may use
 * @param state what the step starts from and may leave; variables are for Python steps alone
 */
@SuppressWarnings("ArrayRecordComponent") // Tasks are run, never compared.
public record StepTask(
    StepKind kind,
    long step,
    String source,
    @Nullable String prelude,
    List<String> argv,
    byte[] stdin,
    Map<String, String> environment,
    StepLimits.Bounds limits,
    StepState state) {
  public StepTask {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    if (kind == StepKind.ARGV && argv.isEmpty()) {
      throw new IllegalArgumentException("a step of kind ARGV needs a program");
    }
  }

  /** A step without a prelude. */
  public StepTask(
      StepKind kind,
      long step,
      String source,
      List<String> argv,
      byte[] stdin,
      Map<String, String> environment,
      StepLimits.Bounds limits,
      StepState state) {
    this(kind, step, source, null, argv, stdin, environment, limits, state);
  }

  /** What the runner restores. Only Python steps are given variables. */
  Variables variables() {
    return kind == StepKind.PYTHON ? state.variables() : Variables.NONE;
  }

  /** The most bytes of variables that the step may leave; 0 for no variables. */
  long stateBytes() {
    return kind == StepKind.PYTHON ? state.caps().stateBytes() : 0;
  }
}
