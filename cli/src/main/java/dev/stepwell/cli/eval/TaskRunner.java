package dev.stepwell.cli.eval;

import dev.stepwell.client.Execution;
import dev.stepwell.client.NoAnswerException;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.client.StepwellException;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import org.jspecify.annotations.Nullable;

/** Runs one task at a time to its verdict; stateless and thread-safe. */
final class TaskRunner {
  /** A failure that is safe to retry is mostly a shortage that passes. */
  private static final int ATTEMPTS_OF_A_STEP = 3;

  private final Stepwell client;

  TaskRunner(Stepwell client) {
    this.client = client;
  }

  /** Runs a task; whatever happens becomes its verdict. Blocks until it is there. */
  TaskVerdict run(Task task) {
    Progress progress = new Progress(task, System.nanoTime());
    try {
      // One step alone needs no state, so it needs no session.
      Session session = task.steps().size() == 1 ? null : client.newSession();
      for (Task.TaskStep step : task.steps()) {
        ExecutionResult result = answer(step.step(), session, progress);
        progress.answered++;
        progress.outcome = result.outcome();
        boolean expected = step.expectation().outcomes().contains(result.outcome());
        if (result.outcome() == Outcome.INFRASTRUCTURE && !expected) {
          return progress.verdict(TaskVerdict.Status.INFRASTRUCTURE, reason(result));
        }
        String difference = step.expectation().difference(result);
        if (difference != null) {
          return progress.verdict(
              TaskVerdict.Status.FAILED, "step " + progress.answered + ": " + difference);
        }
      }
      return progress.verdict(TaskVerdict.Status.PASSED, null);
    } catch (NoAnswerException e) {
      e.execution().abandon();
      return progress.verdict(TaskVerdict.Status.INFRASTRUCTURE, e.getMessage());
    } catch (InvalidMessageException | StepwellException e) {
      return progress.verdict(TaskVerdict.Status.INFRASTRUCTURE, e.getMessage());
    }
  }

  private ExecutionResult answer(Step step, @Nullable Session session, Progress progress) {
    for (int attempt = 1; ; attempt++) {
      progress.sent++;
      Execution execution = session == null ? client.submit(step) : session.submit(step);
      ExecutionResult result = execution.await();
      if (attempt == ATTEMPTS_OF_A_STEP || !retrySafe(result)) {
        return result;
      }
    }
  }

  private static boolean retrySafe(ExecutionResult result) {
    ResultError error = result.error();
    return result.outcome() == Outcome.INFRASTRUCTURE && error != null && error.retrySafe();
  }

  private static String reason(ExecutionResult result) {
    ResultError error = result.error();
    return error == null ? "no reason given" : error.code() + ": " + error.message();
  }

  /** How far a task is; owned by the thread that runs it. */
  private static final class Progress {
    private final Task task;
    private final long startNs;
    private int sent;
    private int answered;
    private @Nullable Outcome outcome;

    Progress(Task task, long startNs) {
      this.task = task;
      this.startNs = startNs;
    }

    TaskVerdict verdict(TaskVerdict.Status status, @Nullable String reason) {
      return new TaskVerdict(
          task.id(),
          status,
          reason,
          outcome == null ? null : outcome.name(),
          answered,
          sent,
          (System.nanoTime() - startNs) / 1e6);
    }
  }
}
