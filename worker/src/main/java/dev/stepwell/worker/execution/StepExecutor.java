package dev.stepwell.worker.execution;

import dev.stepwell.worker.commit.Answer;
import org.jspecify.annotations.Nullable;

/** Runs requests to their answers. Thread-safe; blocks the calling slot thread. */
public interface StepExecutor {
  /**
   * Runs a request, whatever it holds; never throws.
   *
   * @return what the request's transaction must carry; null if the step was abandoned
   */
  @Nullable Answer execute(Assignment assignment, RunningStep step);
}
