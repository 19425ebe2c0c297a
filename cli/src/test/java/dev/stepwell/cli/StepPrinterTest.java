package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StepPrinterTest {
  private static final ExecutionResult FAILED =
      new ExecutionResult(
          "r-1",
          "s",
          2L,
          Outcome.FAILED,
          1,
          null,
          "one\ntwo\n",
          "",
          new Truncation(17, 0),
          null,
          List.of(
              new Value("<Figure>", "Figure", Map.of("text/html", "<b>ü", "image/png", "cG5n")),
              new Value("[1]\n[2]", "builtins.list", Map.of())),
          new ExceptionReport("KeyError", "'a'", "Traceback\nKeyError: 'a'\n", 1),
          null,
          new StateReport(
              null,
              false,
              0,
              0,
              0,
              List.of(new LostValue("g", "g", "generator", "it runs", null)),
              0,
              0),
          List.of(),
          null,
          new Timings(1, 2, 3, 4, 5, 6),
          new Usage(7.0, 8_000_000L, "cgroup"),
          "w",
          "sw-1",
          2);

  private final StringWriter text = new StringWriter();

  @Test
  void result_isALineForEachThingThatItSays() {
    new StepPrinter(new PrintWriter(text), false).result(FAILED);
    assertThat(text.toString().lines())
        .containsExactly(
            "  outcome  FAILED",
            "  stdout   one",
            "           two",
            "           (17 bytes more left out)",
            "  display  image/png 4 bytes · text/html 5 bytes",
            "  display  [1] (no forms)",
            "  error    Traceback",
            "           KeyError: 'a'",
            "  lost     g (generator): it runs",
            "  sandbox  sw-1 (attempt 2)",
            "  time     ran 4.0 ms · queued 1.0 ms · acquired 2.0 ms · restored 3.0 ms"
                + " · saved 5.0 ms · committed 6.0 ms · cpu 7.0 ms · peak 8.0 MB");
  }

  @Test
  void colours_areThereOnlyWhenAskedFor() {
    new StepPrinter(new PrintWriter(text), false).step("title", "source");
    assertThat(text.toString()).doesNotContain("\u001b");
    new StepPrinter(new PrintWriter(text), true).result(FAILED);
    assertThat(text.toString()).contains("\u001b[33mFAILED\u001b[");
  }
}
