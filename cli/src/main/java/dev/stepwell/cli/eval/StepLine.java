package dev.stepwell.cli.eval;

import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.ResultError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps one after the other, each after a look at the result of the one before; owned by the
 * thread that runs the sample.
 */
final class StepLine {
  private final TaskRequests requests;
  private final Retries retries;
  private final String session;
  private final boolean stateful;
  private final FiguresCount count;
  private int sentSteps;

  /**
   * Steps to come.
   *
   * @param session its name in the run
   * @param stateful whether there is such a session; else its steps are one-shots
   * @param count takes what they take
   */
  StepLine(
      TaskRequests requests,
      Retries retries,
      String session,
      boolean stateful,
      FiguresCount count) {
    this.requests = requests;
    this.retries = retries;
    this.session = session;
    this.stateful = stateful;
    this.count = count;
  }

  /**
   * Runs steps, up to the first that doesn't go as expected.
   *
   * @param what what they are called, such as {@code check step}
   * @return why the rest did not run; null where all went as expected
   */
  @Nullable Stop run(List<Task.TaskStep> steps, String what) throws InterruptedException {
    for (int i = 0; i < steps.size(); i++) {
      Stop stop;
      try {
        stop = run(steps.get(i), what + " " + (i + 1));
      } catch (CourierException e) {
        stop = Stop.of(e);
      }
      if (stop != null) {
        return stop;
      }
    }
    return null;
  }

  private @Nullable Stop run(Task.TaskStep step, String name) throws InterruptedException {
    sentSteps++;
    boolean nothingBefore = sentSteps == 1;
    ExecutionResult result = null;
    for (int attempt = 1; result == null; attempt++) {
      count.sent();
      String id = requests.id(session + "." + sentSteps + "." + attempt);
      Answer answer = requests.ask(step.request(id, stateful ? requests.id(session) : null));
      count.answered(answer);
      if (!expected(step, answer.result())
          && retries.again(answer.result(), attempt, nothingBefore)) {
        retries.pause().before(attempt);
      } else {
        result = answer.result();
      }
    }
    count.stepDone(result.outcome());
    if (Retries.failedByUs(result) && !expected(step, result)) {
      return new Stop(Status.INFRASTRUCTURE, reason(result), Retries.lost(result));
    }
    String difference = step.expectation().difference(result);
    return difference == null ? null : new Stop(Status.FAILED, name + ": " + difference, false);
  }

  private static boolean expected(Task.TaskStep step, ExecutionResult result) {
    return step.expectation().outcomes().contains(result.outcome());
  }

  static String reason(ExecutionResult result) {
    ResultError error = result.error();
    return error == null ? "no reason given" : error.code() + ": " + error.message();
  }

  /**
   * Why steps did not run to their end; immutable.
   *
   * @param status what that counts as
   * @param reason the reason, for people
   * @param lost whether a new beginning may go better
   */
  record Stop(Status status, String reason, boolean lost) {
    /**
     * What a request without an answer counts as.
     *
     * @throws CourierException where nothing at all can be sent any more
     */
    static Stop of(CourierException failure) {
      return switch (failure.kind()) {
        case TOO_LARGE, REFUSED, UNREADABLE ->
            new Stop(Status.INFRASTRUCTURE, String.valueOf(failure.getMessage()), false);
        case BROKEN, CLOSED -> throw failure;
      };
    }
  }
}
