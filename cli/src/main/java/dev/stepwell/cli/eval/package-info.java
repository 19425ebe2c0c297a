/**
 * Runs many independent tasks and counts how they went.
 *
 * <p>{@link dev.stepwell.cli.eval.HumanEvalTasks} and {@link dev.stepwell.cli.eval.JsonlTasks} read
 * tasks, a task runner runs one of them, and {@link dev.stepwell.cli.eval.Evaluation} runs them
 * all, so many at once, and counts.
 */
@NullMarked
package dev.stepwell.cli.eval;

import org.jspecify.annotations.NullMarked;
