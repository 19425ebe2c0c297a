package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ExpectationTest {
  private static final ExecutionResult RESULT =
      new ExecutionResult(
          "r-1",
          null,
          null,
          Outcome.FAILED,
          1,
          null,
          "out\n",
          "err\n",
          Truncation.NONE,
          new Value("42", "builtins.int", Map.of()),
          new ExceptionReport("KeyError", "'a'", "...", 1),
          null,
          null,
          Timings.NONE,
          Usage.NONE,
          "w",
          "s",
          1);

  @Test
  void whatIsAsExpected_hasNoDifference() {
    assertThat(
            new Expectation(Set.of(Outcome.FAILED), "out\n", "ut", "rr", "42", "KeyError", 1, null)
                .difference(RESULT))
        .isNull();
  }

  @Test
  void otherOutcome_isNamedWithItsReason() {
    assertThat(Expectation.COMPLETED.difference(RESULT))
        .isEqualTo("outcome is FAILED ('KeyError: 'a''), expected [COMPLETED]");
  }

  @Test
  void everyOtherDifference_isNamed() {
    Set<Outcome> failed = Set.of(Outcome.FAILED);
    assertThat(new Expectation(failed, "o", null, null, null, null, null, null).difference(RESULT))
        .startsWith("stdout is 'out");
    assertThat(new Expectation(failed, null, "x", null, null, null, null, null).difference(RESULT))
        .endsWith("which lacks 'x'");
    assertThat(new Expectation(failed, null, null, "x", null, null, null, null).difference(RESULT))
        .startsWith("stderr is 'err");
    assertThat(new Expectation(failed, null, null, null, "4", null, null, null).difference(RESULT))
        .isEqualTo("value is '42', expected '4'");
    assertThat(new Expectation(failed, null, null, null, null, "E", null, null).difference(RESULT))
        .isEqualTo("exception is 'KeyError', expected 'E'");
    assertThat(new Expectation(failed, null, null, null, null, null, 2, null).difference(RESULT))
        .isEqualTo("exitCode is '1', expected '2'");
    assertThat(
            new Expectation(failed, null, null, null, null, null, null, "SIGKILL")
                .difference(RESULT))
        .isEqualTo("signal is 'null', expected 'SIGKILL'");
  }
}
