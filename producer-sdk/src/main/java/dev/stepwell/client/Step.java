package dev.stepwell.client;

import static java.util.Objects.requireNonNull;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
  private final StepOptions options;

  private Step(StepKind kind, @Nullable String source, List<String> argv, StepOptions options) {
    this.kind = kind;
    this.source = source;
    this.argv = argv;
    this.options = options;
  }

  /** Python source, run in the namespace that the session's earlier steps left. */
  public static Step python(String source) {
    return new Step(
        StepKind.PYTHON, requireNonNull(source, "source"), List.of(), StepOptions.DEFAULTS);
  }

  /** A command line, run by {@code /bin/sh -c}. */
  public static Step shell(String commandLine) {
    return new Step(
        StepKind.SHELL,
        requireNonNull(commandLine, "commandLine"),
        List.of(),
        StepOptions.DEFAULTS);
  }

  /** A program and its arguments, run without a shell. */
  public static Step argv(String... programAndArguments) {
    return new Step(StepKind.ARGV, null, List.of(programAndArguments), StepOptions.DEFAULTS);
  }

  /**
   * Python source that runs before this step's own, as part of the same step and in the same
   * namespace: what a program brings along for the source to use. In place of one set before; only
   * for Python steps. Its file in tracebacks is {@code /session/step-N-prelude.py}.
   */
  public Step prelude(String source) {
    return with(options.withPrelude(requireNonNull(source, "source")));
  }

  /** The text that the step reads on its standard input; without it there is none. */
  public Step stdin(String text) {
    return with(options.withStdin(requireNonNull(text, "text")));
  }

  /** The kind of sandbox, by its name in the workers' configuration. */
  public Step profile(String name) {
    return with(options.withProfile(requireNonNull(name, "name")));
  }

  /** How long the step's own code may run, in whole milliseconds and at least one. */
  public Step wallTime(Duration limit) {
    RequestLimits old = options.limits();
    return with(
        new RequestLimits(
            limit.toMillis(), old.memoryBytes(), old.outputBytes(), old.stateBytes()));
  }

  /** How much private memory the step's process may have, at least 1 MiB. */
  public Step memoryBytes(long limit) {
    RequestLimits old = options.limits();
    return with(new RequestLimits(old.wallTimeMs(), limit, old.outputBytes(), old.stateBytes()));
  }

  /** How much of each of standard output and standard error is kept, 0 for nothing. */
  public Step outputBytes(long limit) {
    RequestLimits old = options.limits();
    return with(new RequestLimits(old.wallTimeMs(), old.memoryBytes(), limit, old.stateBytes()));
  }

  /** How large the snapshot that the step leaves may be. */
  public Step stateBytes(long limit) {
    RequestLimits old = options.limits();
    return with(new RequestLimits(old.wallTimeMs(), old.memoryBytes(), old.outputBytes(), limit));
  }

  /** Variables added to the step's environment, in place of those set before. */
  public Step environment(Map<String, String> variables) {
    return with(options.withEnvironment(Map.copyOf(variables)));
  }

  /** When the step must have started; later it is rejected. */
  public Step deadline(Instant latestStart) {
    return with(options.withDeadlineMs(latestStart.toEpochMilli()));
  }

  /** A file that is put into the workspace before the step runs, besides those named before. */
  public Step file(String path, byte[] content) {
    return files(Map.of(path, content));
  }

  /**
   * Files that are put into the workspace before the step runs, besides those named before: content
   * by path. They travel in the request's message, whose size is limited.
   */
  public Step files(Map<String, byte[]> contentByPath) {
    return files(FileInputs.of(contentByPath));
  }

  /** Files with modes that are put into the workspace before the step runs, besides the others. */
  public Step files(Collection<FileInput> files) {
    return with(options.withFiles(joined(options.files(), files)));
  }

  /**
   * Files of the workspace that the result is to bring back, besides those named before; see {@link
   * dev.stepwell.protocol.ExecutionResult#artifacts}.
   *
   * @param pathsOrPatterns relative to the workspace, such as {@code out/table.csv}, or patterns
   *     such as {@code plots/**}
   */
  public Step artifact(String... pathsOrPatterns) {
    return with(options.withArtifacts(joined(options.artifacts(), List.of(pathsOrPatterns))));
  }

  /**
   * Has the step leave all of its state or none: where something can't be kept, the session stays
   * as it was before the step, and the result says what it was.
   */
  public Step strictState() {
    return with(options.withStrictState());
  }

  /**
   * The request that asks for this step.
   *
   * @throws dev.stepwell.protocol.InvalidMessageException naming the field that is wrong
   */
  ExecutionRequest request(String requestId, @Nullable String sessionId, @Nullable String replyTo) {
    return request(requestId, sessionId, replyTo, null);
  }

  /**
   * The request that asks for this step on a state, as a one-shot.
   *
   * @throws dev.stepwell.protocol.InvalidMessageException naming the field that is wrong
   */
  ExecutionRequest requestOn(String base, String requestId, @Nullable String replyTo) {
    return request(requestId, null, replyTo, base);
  }

  private ExecutionRequest request(
      String requestId,
      @Nullable String sessionId,
      @Nullable String replyTo,
      @Nullable String base) {
    return new ExecutionRequest(
        requestId,
        sessionId,
        kind,
        source,
        argv,
        options.stdin(),
        options.profile(),
        options.limits(),
        options.environment(),
        options.deadlineMs(),
        replyTo,
        options.files(),
        options.artifacts(),
        options.strictState(),
        base,
        options.prelude());
  }

  private Step with(RequestLimits limits) {
    return with(options.withLimits(limits));
  }

  private Step with(StepOptions changed) {
    return new Step(kind, source, argv, changed);
  }

  private static <T> List<T> joined(List<T> before, Collection<T> more) {
    return Stream.concat(before.stream(), more.stream()).toList();
  }
}
