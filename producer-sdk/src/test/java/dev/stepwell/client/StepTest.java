package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StepTest {
  @Test
  void pythonStep_hasDefaultsOfEverythingElse() {
    assertThat(Step.python("1").request("r", "s", null))
        .isEqualTo(
            new ExecutionRequest(
                "r",
                "s",
                StepKind.PYTHON,
                "1",
                List.of(),
                null,
                null,
                RequestLimits.DEFAULTS,
                Map.of(),
                null,
                null));
  }

  @Test
  void everyOption_isInTheRequest() {
    Step step =
        Step.shell("cat")
            .stdin("in")
            .profile("data")
            .wallTime(Duration.ofSeconds(2))
            .memoryBytes(2 << 20)
            .outputBytes(3)
            .stateBytes(4)
            .environment(Map.of("A", "b"))
            .deadline(Instant.ofEpochMilli(5))
            .file("in/a", new byte[] {1})
            .files(List.of(new FileInput("in/b", Bytes.EMPTY, 0755)))
            .artifact("out/a")
            .artifact("plots/**", "*.csv")
            .strictState();
    assertThat(step.request("r", null, "t"))
        .isEqualTo(
            new ExecutionRequest(
                "r",
                null,
                StepKind.SHELL,
                "cat",
                List.of(),
                "in",
                "data",
                new RequestLimits(2000L, 2L << 20, 3L, 4L),
                Map.of("A", "b"),
                5L,
                "t",
                List.of(
                    new FileInput("in/a", Bytes.of(new byte[] {1}), null),
                    new FileInput("in/b", Bytes.EMPTY, 0755)),
                List.of("out/a", "plots/**", "*.csv"),
                true,
                null,
                null));
  }

  @Test
  void prelude_isForPythonStepsAlone() {
    assertThat(Step.python("f()").prelude("old").prelude("def f(): 1").request("r", null, null))
        .returns("f()", ExecutionRequest::source)
        .returns("def f(): 1", ExecutionRequest::prelude);
    for (Step step : List.of(Step.shell("ls"), Step.argv("ls"))) {
      assertThatThrownBy(() -> step.prelude("x = 1").request("r", null, null))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("prelude must be absent when kind is");
    }
  }

  @Test
  void options_changeACopy() {
    Step step = Step.argv("true");
    step.stdin("x").outputBytes(1);
    assertThat(step.request("r", null, null).stdin()).isNull();
    assertThat(step.request("r", null, null).limits()).isEqualTo(RequestLimits.DEFAULTS);
  }

  @Test
  void stepOnAState_isAOneShotThatNamesIt() {
    ExecutionRequest request = Step.python("x").requestOn("ref", "r", null);
    assertThat(request.base()).isEqualTo("ref");
    assertThat(request.oneShot()).isTrue();
  }

  @Test
  void wrongValue_isNamedWhenTheStepIsSent() {
    assertThatThrownBy(() -> Step.python("1").wallTime(Duration.ZERO).request("r", null, null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("limits.wallTimeMs");
  }
}
