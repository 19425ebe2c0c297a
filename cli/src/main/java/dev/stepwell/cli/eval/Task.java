package dev.stepwell.cli.eval;

import dev.stepwell.client.Step;
import java.util.List;

/**
 * A task to run: one step as a one-shot, or several as a session of its own; immutable.
 *
 * @param id its name, unique in its file
 * @param steps what it runs, in order, at least one
 */
public record Task(String id, List<TaskStep> steps) {
  /** Copies. */
  public Task {
    steps = List.copyOf(steps);
  }

  /**
   * One of a task's steps; immutable.
   *
   * @param step what it runs
   * @param expectation how that should go
   */
  public record TaskStep(Step step, Expectation expectation) {}
}
