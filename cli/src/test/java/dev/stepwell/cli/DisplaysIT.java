package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What programs bring along with a step and what steps show, as a client sees it: with a real
 * broker, worker and bubblewrap.
 */
@Timeout(300)
@NullUnmarked // Looks into answers that it knows to be there.
final class DisplaysIT {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private static boolean data;
  private static LocalStack stack;
  private static Stepwell client;

  @BeforeAll
  static void start() throws InterruptedException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    System.setProperty("stepwell.home", Path.of("..").toAbsolutePath().normalize().toString());
    data = System.getenv("STEPWELL_TEST_DATA_ROOT") != null;
    List<String> profiles = data ? List.of("data") : List.of();
    stack = LocalStack.start(LocalOptions.temporary(BackendName.BUBBLEWRAP, profiles, 2));
    client = Stepwell.builder(stack.bootstrap()).answerTimeout(Duration.ofMinutes(2)).connect();
  }

  @AfterAll
  static void stop() {
    if (client != null) {
      client.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  private static void assertPng(Value display) {
    byte[] picture = Base64.getDecoder().decode(display.mime().get("image/png"));
    assertThat(picture).startsWith(PNG).hasSizeGreaterThan(1000);
  }

  @Test
  void prelude_isPartOfItsStep() {
    Session session = client.newSession();
    ExecutionResult first =
        session.run(
            Step.python("print(area(2, 3))\nshape")
                .prelude("def area(w, h): return w * h\nshape = 'box'"));

    assertThat(first.outcome()).as(first.toString()).isEqualTo(Outcome.COMPLETED);
    assertThat(first.stdout()).isEqualTo("6\n");
    assertThat(first.value().text()).isEqualTo("'box'");
    assertThat(first.step()).isEqualTo(1);

    ExecutionResult later = session.run("\narea('x', None)");
    assertThat(later.step()).isEqualTo(2);
    assertThat(later.exception().traceback())
        .contains("\"/session/step-2.py\", line 2", "\"/session/step-1-prelude.py\", line 1")
        .contains("def area(w, h): return w * h");
    assertThat(later.exception().line()).isEqualTo(2);
  }

  @Test
  void preludeThatFails_endsTheStep() {
    ExecutionResult result =
        client.newSession().run(Step.python("print('source')").prelude("\nneeded"));

    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(result.stdout()).isEmpty();
    assertThat(result.exception().name()).isEqualTo("NameError");
    assertThat(result.exception().line()).isEqualTo(2);
  }

  @Test
  void displays_areInTheResultHoweverTheStepEnds() {
    String show = "from stepwell_step import display\ndisplay(mime={'text/html': '<b>1</b>'})\n";
    Value shown = new Value("", "", Map.of("text/html", "<b>1</b>"));
    Session session = client.newSession();

    assertThat(session.run(show).displays()).containsExactly(shown);
    ExecutionResult failed = session.run(show + "display([2])\n1 / 0");
    assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(failed.displays())
        .containsExactly(shown, new Value("[2]", "builtins.list", Map.of()));
    ExecutionResult late =
        session.run(Step.python(show + "while True: pass").wallTime(Duration.ofMillis(500)));
    assertThat(late.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(late.displays()).containsExactly(shown);
    // What was imported is the session's, and shows again in another sandbox.
    assertThat(session.run("display(3)").displays())
        .containsExactly(new Value("3", "builtins.int", Map.of()));
    assertThat(client.run("1").displays()).isEmpty();
  }

  @Test
  void figures_areShownByPyplot() {
    Assumptions.assumeTrue(data, "skipped: STEPWELL_TEST_DATA_ROOT names no root with matplotlib");
    Session session = client.newSession();
    ExecutionResult first =
        session.run(
            Step.python(
                    """
                    import matplotlib.pyplot as plt
                    plt.plot([1, 4, 9])
                    plt.show()
                    fig, ax = plt.subplots()
                    ax.bar(["a"], [1])
                    fig
                    """)
                .profile("data"));

    assertThat(first.outcome()).as(first.toString()).isEqualTo(Outcome.COMPLETED);
    assertThat(first.stderr()).isEmpty();
    assertThat(first.displays()).hasSize(1);
    assertPng(first.displays().get(0));
    assertThat(first.displays().get(0).type()).isEqualTo("matplotlib.figure.Figure");
    assertPng(first.value());
    assertThat(first.state().lost()).isEmpty();

    // The open figure has come along, and is shown and closed by the next step.
    ExecutionResult next =
        session.run(Step.python("plt.show()\nplt.get_fignums()").profile("data"));
    assertThat(next.displays()).hasSize(1);
    assertPng(next.displays().get(0));
    assertThat(next.value().text()).isEqualTo("[]");
    assertThat(next.stderr()).isEmpty();
  }

  @Test
  void tablesAndPictures_haveTheirForms() {
    Assumptions.assumeTrue(data, "skipped: STEPWELL_TEST_DATA_ROOT names no root with pandas");
    ExecutionResult table =
        client.run(Step.python("import pandas\npandas.DataFrame({'a': [1]})").profile("data"));
    assertThat(table.value().mime().get("text/html")).contains("<table");
    ExecutionResult picture =
        client.run(
            Step.python("import PIL.Image\nPIL.Image.effect_noise((64, 64), 9)").profile("data"));
    assertPng(picture.value());
  }
}
