package dev.stepwell.client;

import static java.util.Objects.requireNonNull;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to run, and under which limits; immutable, so one may be sent any number of times. Each
 * method but the factories gives a copy that differs in one thing. What is not set is the default
 * of the profile. Values are checked when the step is sent.
 */
public final class Step {
  private final StepKind kind;
  private final @Nullable String source;
  private final List<String> argv;
  private final Options options;

  private Step(StepKind kind, @Nullable String source, List<String> argv, Options options) {
    this.kind = kind;
    this.source = source;
    this.argv = argv;
    this.options = options;
  }

  /** Python source, run in the namespace that the session's earlier steps left. */
  public static Step python(String source) {
    return new Step(StepKind.PYTHON, requireNonNull(source, "source"), List.of(), Options.DEFAULTS);
  }

  /** A command line, run by {@code /bin/sh -c}. */
  public static Step shell(String commandLine) {
    return new Step(
        StepKind.SHELL, requireNonNull(commandLine, "commandLine"), List.of(), Options.DEFAULTS);
  }

  /** A program and its arguments, run without a shell. */
  public static Step argv(String... programAndArguments) {
    return new Step(StepKind.ARGV, null, List.of(programAndArguments), Options.DEFAULTS);
  }

  /** The text that the step reads on its standard input; without it there is none. */
  public Step stdin(String text) {
    requireNonNull(text, "text");
    return with(
        new Options(
            text, options.profile, options.limits, options.environment, options.deadlineMs));
  }

  /** The kind of sandbox, by its name in the workers' configuration. */
  public Step profile(String name) {
    requireNonNull(name, "name");
    return with(
        new Options(options.stdin, name, options.limits, options.environment, options.deadlineMs));
  }

  /** How long the step's own code may run, in whole milliseconds and at least one. */
  public Step wallTime(Duration limit) {
    RequestLimits old = options.limits;
    return with(
        new RequestLimits(
            limit.toMillis(), old.memoryBytes(), old.outputBytes(), old.stateBytes()));
  }

  /** How much private memory the step's process may have, at least 1 MiB. */
  public Step memoryBytes(long limit) {
    RequestLimits old = options.limits;
    return with(new RequestLimits(old.wallTimeMs(), limit, old.outputBytes(), old.stateBytes()));
  }

  /** How much of each of standard output and standard error is kept, 0 for nothing. */
  public Step outputBytes(long limit) {
    RequestLimits old = options.limits;
    return with(new RequestLimits(old.wallTimeMs(), old.memoryBytes(), limit, old.stateBytes()));
  }

  /** How large the snapshot that the step leaves may be. */
  public Step stateBytes(long limit) {
    RequestLimits old = options.limits;
    return with(new RequestLimits(old.wallTimeMs(), old.memoryBytes(), old.outputBytes(), limit));
  }

  /** Variables added to the step's environment, in place of those set before. */
  public Step environment(Map<String, String> variables) {
    return with(
        new Options(
            options.stdin,
            options.profile,
            options.limits,
            Map.copyOf(variables),
            options.deadlineMs));
  }

  /** When the step must have started; later it is rejected. */
  public Step deadline(Instant latestStart) {
    return with(
        new Options(
            options.stdin,
            options.profile,
            options.limits,
            options.environment,
            latestStart.toEpochMilli()));
  }

  /**
   * The request that asks for this step.
   *
   * @throws dev.stepwell.protocol.InvalidMessageException naming the field that is wrong
   */
  ExecutionRequest request(String requestId, @Nullable String sessionId, @Nullable String replyTo) {
    return new ExecutionRequest(
        requestId,
        sessionId,
        kind,
        source,
        argv,
        options.stdin,
        options.profile,
        options.limits,
        options.environment,
        options.deadlineMs,
        replyTo);
  }

  private Step with(RequestLimits limits) {
    return with(
        new Options(
            options.stdin, options.profile, limits, options.environment, options.deadlineMs));
  }

  private Step with(Options changed) {
    return new Step(kind, source, argv, changed);
  }

  /** All that has a default. */
  private record Options(
      @Nullable String stdin,
      @Nullable String profile,
      RequestLimits limits,
      Map<String, String> environment,
      @Nullable Long deadlineMs) {
    static final Options DEFAULTS = new Options(null, null, RequestLimits.DEFAULTS, Map.of(), null);
  }
}
