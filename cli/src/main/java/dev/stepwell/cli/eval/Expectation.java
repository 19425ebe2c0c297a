package dev.stepwell.cli.eval;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a step should go; immutable. What is null is not looked at.
 *
 * @param outcomes how it may end, at least one
 * @param stdout all of its standard output
 * @param stdoutContains a part of it
 * @param stderrContains a part of its standard error
 * @param value its value's text
 * @param exception its exception's name
 * @param exitCode its process's exit code
 * @param signal the signal that ended its process
 */
record Expectation(
    Set<Outcome> outcomes,
    @Nullable String stdout,
    @Nullable String stdoutContains,
    @Nullable String stderrContains,
    @Nullable String value,
    @Nullable String exception,
    @Nullable Integer exitCode,
    @Nullable String signal) {
  /** To run to the end, whatever it says. */
  static final Expectation COMPLETED =
      new Expectation(Set.of(Outcome.COMPLETED), null, null, null, null, null, null, null);

  private static final int QUOTED_CHARACTERS = 200;

  Expectation {
    outcomes = Set.copyOf(outcomes);
  }

  /** The first thing about a result that is not as it should be; null where all is. */
  @Nullable String difference(ExecutionResult result) {
    if (!outcomes.contains(result.outcome())) {
      return "outcome is " + result.outcome() + reason(result) + ", expected " + outcomes;
    }
    String found =
        first(
            unequal("stdout", stdout, result.stdout()),
            lacking("stdout", stdoutContains, result.stdout()),
            lacking("stderr", stderrContains, result.stderr()));
    if (found != null) {
      return found;
    }
    return first(
        unequal("value", value, result.value() == null ? null : result.value().text()),
        unequal(
            "exception", exception, result.exception() == null ? null : result.exception().name()),
        first(
            unequal("exitCode", exitCode, result.exitCode()),
            unequal("signal", signal, result.signal()),
            null));
  }

  private static String reason(ExecutionResult result) {
    if (result.exception() != null) {
      return " (" + quoted(result.exception().name() + ": " + result.exception().message()) + ")";
    }
    return result.error() == null ? "" : " (" + quoted(result.error().message()) + ")";
  }

  private static @Nullable String unequal(
      String name, @Nullable Object expected, @Nullable Object actual) {
    return expected == null || expected.equals(actual)
        ? null
        : "%s is %s, expected %s"
            .formatted(name, quoted(String.valueOf(actual)), quoted(expected.toString()));
  }

  private static @Nullable String lacking(String name, @Nullable String part, String actual) {
    return part == null || actual.contains(part)
        ? null
        : "%s is %s, which lacks %s".formatted(name, quoted(actual), quoted(part));
  }

  private static @Nullable String first(
      @Nullable String one, @Nullable String two, @Nullable String three) {
    if (one != null) {
      return one;
    }
    return two != null ? two : three;
  }

  private static String quoted(String text) {
    String shortened =
        text.length() <= QUOTED_CHARACTERS ? text : text.substring(0, QUOTED_CHARACTERS) + "...";
    return "'" + shortened + "'";
  }
}
