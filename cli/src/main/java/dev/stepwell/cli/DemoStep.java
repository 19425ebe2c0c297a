package dev.stepwell.cli;

import dev.stepwell.client.Step;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of the demonstration, and how it should go; immutable.
 *
 * @param title what it shows
 * @param source what it runs
 * @param shell whether that is a command line rather than Python
 * @param outcome how it should end
 * @param evidence what should be in its output, its value or its exception
 */
record DemoStep(String title, String source, boolean shell, Outcome outcome, String evidence) {
  /** An agent's session: it defines, uses, fails, recovers, and gives its final answer. */
  static final List<DemoStep> SCRIPT =
      List.of(
          new DemoStep(
              "define: a function and some data",
              """
              import math

              def area(radius):
                  return math.pi * radius ** scale

              radii = [1, 2, 3]
              print("defined area() and", len(radii), "radii")
              """,
              false,
              Outcome.COMPLETED,
              "defined area() and 3 radii"),
          new DemoStep(
              "use: the function sees what later steps bind",
              """
              scale = 2
              areas = [round(area(r), 2) for r in radii]
              areas
              """,
              false,
              Outcome.COMPLETED,
              "[3.14, 12.57, 28.27]"),
          new DemoStep(
              "fail: what changed before the error is kept",
              """
              total = sum(areas)
              paint = budgets["paint"]
              """,
              false,
              Outcome.FAILED,
              "NameError: name 'budgets' is not defined"),
          new DemoStep(
              "recover: go on from there",
              """
              budgets = {"paint": 50}
              enough = budgets["paint"] > total
              print(f"{total:.2f} needed, {budgets['paint']} there, enough: {enough}")
              """,
              false,
              Outcome.COMPLETED,
              "43.98 needed, 50 there, enough: True"),
          new DemoStep(
              "look around: a shell command, in a sandbox of its own like every step",
              """
              echo "processes: $(ls -d /proc/[0-9]* | wc -l)"
              echo "network interfaces up: $(grep -l up /sys/class/net/*/operstate 2> /dev/null | wc -l)"
              """,
              true,
              Outcome.COMPLETED,
              "network interfaces up: 0"),
          new DemoStep(
              "answer: the session's state is still here",
              """
              f"{len(radii)} circles need {total:.2f} of paint; {budgets['paint'] - total:.2f} is left"
              """,
              false,
              Outcome.COMPLETED,
              "3 circles need 43.98 of paint; 6.02 is left"));

  Step step() {
    return shell ? Step.shell(source) : Step.python(source);
  }

  /** What is wrong with a result of this step, or null. */
  @Nullable String fault(ExecutionResult result) {
    if (result.outcome() != outcome) {
      return "ended as " + result.outcome() + " and not as " + outcome;
    }
    String said =
        result.stdout()
            + (result.value() == null ? "" : result.value().text())
            + (result.exception() == null ? "" : result.exception().traceback());
    return said.contains(evidence) ? null : "did not say '" + evidence + "'";
  }
}
