package dev.stepwell.cli.eval;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.StepKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads tasks of the HumanEval form: a prompt that begins a function, and a test of it. What is run
 * is the prompt, a completion, the test, and a call of the test with the function.
 */
public final class HumanEvalTasks {
  private HumanEvalTasks() {}

  /**
   * Reads the tasks, to be completed by samples, or by their own solutions without any.
   *
   * @param tasks objects with task_id, prompt, entry_point, test and canonical_solution
   * @param samples objects with task_id and completion, or null; a task may have several, and one
   *     that has none is left out
   * @throws CommandException naming file, line and fault
   */
  public static List<Task> read(Path tasks, @Nullable Path samples, TaskLimits limits) {
    Map<String, TaskFields> byId = new LinkedHashMap<>();
    for (TaskFields task : TaskFile.read(tasks)) {
      if (byId.put(task.requiredText("task_id"), task) != null) {
        throw task.fault("task_id " + task.text("task_id") + " is there twice");
      }
    }
    return samples == null ? solved(byId, limits) : sampled(byId, samples, limits);
  }

  private static List<Task> solved(Map<String, TaskFields> tasks, TaskLimits limits) {
    List<Task> solved = new ArrayList<>();
    tasks.forEach(
        (id, task) ->
            solved.add(task(id, id, 1, task, task.requiredText("canonical_solution"), limits)));
    return solved;
  }

  private static List<Task> sampled(
      Map<String, TaskFields> tasks, Path samples, TaskLimits limits) {
    Map<String, List<String>> completions = new LinkedHashMap<>();
    for (TaskFields sample : TaskFile.read(samples)) {
      String id = sample.requiredText("task_id");
      if (!tasks.containsKey(id)) {
        throw sample.fault("there is no task " + id);
      }
      completions
          .computeIfAbsent(id, ignored -> new ArrayList<>())
          .add(sample.requiredText("completion"));
    }
    List<Task> sampled = new ArrayList<>();
    tasks.forEach(
        (id, task) -> {
          List<String> all = completions.getOrDefault(id, List.of());
          for (int i = 0; i < all.size(); i++) {
            String name = all.size() == 1 ? id : id + "#" + (i + 1);
            sampled.add(task(name, id, i + 1, task, all.get(i), limits));
          }
        });
    return sampled;
  }

  private static Task task(
      String id, String group, int sample, TaskFields task, String completion, TaskLimits limits) {
    String program =
        task.requiredText("prompt")
            + completion
            + "\n"
            + task.requiredText("test")
            + "\ncheck("
            + task.requiredText("entry_point")
            + ")\n";
    ExecutionRequest what =
        StepFields.request(
            task, StepKind.PYTHON, program, List.of(), null, limits.defaults(), Map.of());
    return Task.sample(
        id, group, sample, new Task.TaskStep(what, Expectation.COMPLETED), completion);
  }
}
