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
    @Nullable String replyTo) {

  /** The version of the request format that this class is. */
  public static final int VERSION = 1;

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
    Checks.text("source", source);
    Checks.text("stdin", stdin);
    Checks.name("profile", profile);
    Checks.name("replyTo", replyTo);
    Checks.atLeast("deadlineMs", deadlineMs, 0);
    checkEnvironment(environment);
  }

  /** Whether this request belongs to no session. */
  public boolean oneShot() {
    return sessionId == null;
  }

  /** The Kafka key that this request must be published under. */
  public String key() {
    return sessionId != null ? sessionId : requestId;
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
