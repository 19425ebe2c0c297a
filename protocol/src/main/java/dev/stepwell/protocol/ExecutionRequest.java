package dev.stepwell.protocol;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request to run one step; immutable.
 *
 * @param requestId the publisher's name for this request, unique for ever: 1 to 128 printable ASCII
 *     characters; a session that has seen it ignores it the second time
 * @param sessionId the session whose state the step sees and leaves, or null for a one-shot: no
 *     state in, no state out
 * @param kind what to run
 * @param source Python source or shell command line; null for {@link StepKind#ARGV}
 * @param argv program and arguments; empty but for {@link StepKind#ARGV}
 * @param stdin text that the step reads on its standard input; null for none
 * @param profile the kind of sandbox; null for the worker's default profile
 * @param limits what to ask for within the profile's bounds
 * @param environment variables added to the step's environment
 * @param deadlineMs when the step must have started, in milliseconds since the epoch; null for any
 *     time
 * @param replyTo the topic for the result; null for {@code stepwell.results}
 * @param files what is put into the workspace before the step runs; at most {@value #MAX_FILES},
 *     none in the way of another
 * @param artifacts which files of the workspace the result is to bring back after the step: paths,
 *     or patterns as {@link PathPattern} describes them; at most {@value #MAX_FILES}
 * @param strictState whether the step is to leave all of its state or none: where something can't
 *     be kept, the state stays as the step before left it
 * @param base for a one-shot only: the reference of a state that the step sees, of which it leaves
 *     nothing; 1 to 512 printable ASCII characters, as a worker issued them; null for no state
 * @param prelude Python source, not blank, that runs in the step's namespace before {@code source},
 *     as part of the same step; only for {@link StepKind#PYTHON}; null for none
 */
public record ExecutionRequest(
    String requestId,
    @Nullable String sessionId,
    StepKind kind,
    @Nullable String source,
    List<String> argv,
    @Nullable String stdin,
    @Nullable String profile,
    RequestLimits limits,
    Map<String, String> environment,
    @Nullable Long deadlineMs,
    @Nullable String replyTo,
    List<FileInput> files,
    List<String> artifacts,
    boolean strictState,
    @Nullable String base,
    @Nullable String prelude)
    implements Request {

  /** The most files that a request may bring, and the most patterns of files to bring back. */
  public static final int MAX_FILES = 1000;

  private static final int MAX_ARGUMENTS = 4096;
  private static final int MAX_VARIABLES = 256;
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  /**
   * Validates and copies.
   *
   * @throws InvalidMessageException naming the first field that is wrong
   */
  public ExecutionRequest {
    Checks.id("requestId", requestId);
    if (sessionId != null) {
      Checks.id("sessionId", sessionId);
    }
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(limits, "limits");
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    checkWhatRuns(kind, source, argv);
    checkPrelude(kind, prelude);
    Checks.text("source", source);
    Checks.text("stdin", stdin);
    Checks.name("profile", profile);
    Checks.name("replyTo", replyTo);
    Checks.atLeast("deadlineMs", deadlineMs, 0);
    checkEnvironment(environment);
    files = List.copyOf(files);
    artifacts = List.copyOf(artifacts);
    if (!files.isEmpty()) {
      WorkspacePath.checkFiles("files", files, MAX_FILES);
    }
    if (!artifacts.isEmpty()) {
      WorkspacePath.checkAll("artifacts", artifacts, MAX_FILES);
    }
    Checks.reference("base", base);
    if (base != null && sessionId != null) {
      throw Checks.invalid(
          "base", "must be absent for a step of a session, which starts from the session's state");
    }
  }

  /**
   * A request of a step that has no prelude, brings no files, asks for none, and keeps what can be
   * kept.
   *
   * @throws InvalidMessageException naming the first field that is wrong
   */
  public ExecutionRequest(
      String requestId,
      @Nullable String sessionId,
      StepKind kind,
      @Nullable String source,
      List<String> argv,
      @Nullable String stdin,
      @Nullable String profile,
      RequestLimits limits,
      Map<String, String> environment,
      @Nullable Long deadlineMs,
      @Nullable String replyTo) {
    this(
        requestId,
        sessionId,
        kind,
        source,
        argv,
        stdin,
        profile,
        limits,
        environment,
        deadlineMs,
        replyTo,
        List.of(),
        List.of(),
        false,
        null,
        null);
  }

  private static void checkWhatRuns(StepKind kind, @Nullable String source, List<String> argv) {
    if (kind == StepKind.ARGV) {
      if (source != null) {
        throw Checks.invalid("source", "must be absent when kind is ARGV");
      }
      checkArguments(argv);
      return;
    }
    if (!argv.isEmpty()) {
      throw Checks.invalid("argv", "must be absent when kind is " + kind);
    }
    if (source == null || source.isBlank()) {
      throw new InvalidMessageException(
          ErrorCode.EMPTY_SOURCE, "source", "source is empty: there is nothing to run");
    }
    if (kind == StepKind.SHELL) {
      Checks.noNul("source", source);
    }
  }

  private static void checkPrelude(StepKind kind, @Nullable String prelude) {
    if (prelude == null) {
      return;
    }
    if (kind != StepKind.PYTHON) {
      throw Checks.invalid("prelude", "must be absent when kind is " + kind);
    }
    if (prelude.isBlank()) {
      throw Checks.invalid("prelude", "is blank: leave it out where there is nothing to run");
    }
    Checks.text("prelude", prelude);
  }

  private static void checkArguments(List<String> argv) {
    if (argv.isEmpty() || argv.get(0).isEmpty()) {
      throw new InvalidMessageException(
          ErrorCode.EMPTY_SOURCE, "argv", "argv is empty: there is nothing to run");
    }
    if (argv.size() > MAX_ARGUMENTS) {
      throw Checks.invalid("argv", "has " + argv.size() + " elements, more than " + MAX_ARGUMENTS);
    }
    for (int i = 0; i < argv.size(); i++) {
      Checks.text("argv[" + i + "]", argv.get(i));
      Checks.noNul("argv[" + i + "]", argv.get(i));
    }
  }

  private static void checkEnvironment(Map<String, String> environment) {
    if (environment.size() > MAX_VARIABLES) {
      throw Checks.invalid(
          "environment", "has " + environment.size() + " entries, more than " + MAX_VARIABLES);
    }
    environment.forEach(
        (name, value) -> {
          if (!VARIABLE.matcher(name).matches()) {
            throw Checks.invalid(
                "environment",
                "has the name '" + name + "', which must match " + VARIABLE.pattern());
          }
          Checks.text("environment." + name, value);
          Checks.noNul("environment." + name, value);
        });
  }
}
