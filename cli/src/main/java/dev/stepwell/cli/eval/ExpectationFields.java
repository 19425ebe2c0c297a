package dev.stepwell.cli.eval;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.Outcome;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads how a step should go. */
final class ExpectationFields {
  private static final Set<String> NAMES =
      Set.of(
          "outcome",
          "stdout",
          "stdoutContains",
          "stderrContains",
          "value",
          "exception",
          "exitCode",
          "signal");

  private ExpectationFields() {}

  /** An expectation; to complete where nothing is said. */
  static Expectation read(@Nullable TaskFields fields) {
    if (fields == null) {
      return Expectation.COMPLETED;
    }
    fields.only(NAMES);
    Long exitCode = fields.integer("exitCode");
    return new Expectation(
        outcomes(fields),
        fields.text("stdout"),
        fields.text("stdoutContains"),
        fields.text("stderrContains"),
        fields.text("value"),
        fields.text("exception"),
        exitCode == null ? null : exitCode.intValue(),
        fields.text("signal"));
  }

  private static Set<Outcome> outcomes(TaskFields fields) {
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    for (String name : fields.texts("outcome")) {
      try {
        outcomes.add(Outcome.valueOf(name));
      } catch (IllegalArgumentException e) {
        throw new CommandException(
            fields.place()
                + ": there is no outcome "
                + name
                + ", only "
                + EnumSet.allOf(Outcome.class),
            e);
      }
    }
    return outcomes.isEmpty() ? Set.of(Outcome.COMPLETED) : outcomes;
  }
}
