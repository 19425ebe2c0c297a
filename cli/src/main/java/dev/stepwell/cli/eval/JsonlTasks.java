package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.client.Step;
import dev.stepwell.protocol.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads tasks of Stepwell's own form, which {@code docs/eval-format.md} describes. */
public final class JsonlTasks {
  private static final Set<String> TASK_FIELDS = Set.of("id", "steps", "expect");
  private static final Set<String> STEP_FIELDS =
      Set.of("source", "shell", "argv", "stdin", "profile", "wallTimeMs", "expect");
  private static final Set<String> EXPECT_FIELDS =
      Set.of(
          "outcome",
          "stdout",
          "stdoutContains",
          "stderrContains",
          "value",
          "exception",
          "exitCode",
          "signal");

  private JsonlTasks() {}

  /**
   * Reads the tasks of a file.
   *
   * @throws CommandException naming file, line and fault
   */
  public static List<Task> read(Path file, TaskLimits limits) {
    List<Task> tasks = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (TaskFields fields : TaskFile.read(file)) {
      String id = fields.only(TASK_FIELDS).requiredText("id");
      if (!ids.add(id)) {
        throw fields.fault("id " + id + " is there twice");
      }
      tasks.add(new Task(id, steps(fields, limits)));
    }
    return tasks;
  }

  /** The task's own expectation is that of its last step. */
  private static List<Task.TaskStep> steps(TaskFields task, TaskLimits limits) {
    List<JsonNode> nodes = task.array("steps");
    List<Task.TaskStep> steps = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      TaskFields ofTask = i == nodes.size() - 1 ? task.object("expect") : null;
      steps.add(step(task, nodes.get(i), ofTask, limits));
    }
    return steps;
  }

  private static Task.TaskStep step(
      TaskFields task, JsonNode node, @Nullable TaskFields ofTask, TaskLimits limits) {
    if (node.isTextual()) {
      return new Task.TaskStep(limits.apply(Step.python(node.textValue())), expectation(ofTask));
    }
    TaskFields fields = task.asObject("steps", node).only(STEP_FIELDS);
    TaskFields own = fields.object("expect");
    if (own != null && ofTask != null) {
      throw fields.fault("the last step and the task both have 'expect'");
    }
    return new Task.TaskStep(
        options(limits.apply(whatRuns(fields)), fields), expectation(own == null ? ofTask : own));
  }

  private static Step whatRuns(TaskFields fields) {
    String source = fields.text("source");
    String shell = fields.text("shell");
    List<String> argv = fields.texts("argv");
    int given = (source == null ? 0 : 1) + (shell == null ? 0 : 1) + (argv.isEmpty() ? 0 : 1);
    if (given != 1) {
      throw fields.fault("exactly one of 'source', 'shell' and 'argv' must be there");
    }
    if (source != null) {
      return Step.python(source);
    }
    return shell != null ? Step.shell(shell) : Step.argv(argv.toArray(String[]::new));
  }

  private static Step options(Step step, TaskFields fields) {
    Step with = step;
    String stdin = fields.text("stdin");
    if (stdin != null) {
      with = with.stdin(stdin);
    }
    String profile = fields.text("profile");
    if (profile != null) {
      with = with.profile(profile);
    }
    Long wallTimeMs = fields.integer("wallTimeMs");
    return wallTimeMs == null ? with : with.wallTime(Duration.ofMillis(wallTimeMs));
  }

  private static Expectation expectation(@Nullable TaskFields fields) {
    if (fields == null) {
      return Expectation.COMPLETED;
    }
    fields.only(EXPECT_FIELDS);
    Long exitCode = fields.integer("exitCode");
    return new Expectation(
        outcomes(fields),
        fields.text("stdout"),
        fields.text("stdoutContains"),
        fields.text("stderrContains"),
        fields.text("value"),
        fields.text("exception"),
        exitCode == null ? null : exitCode.intValue(),
        fields.text("signal"));
  }

  private static Set<Outcome> outcomes(TaskFields fields) {
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    for (String name : fields.texts("outcome")) {
      try {
        outcomes.add(Outcome.valueOf(name));
      } catch (IllegalArgumentException e) {
        throw new CommandException(
            fields.place()
                + ": there is no outcome "
                + name
                + ", only "
                + EnumSet.allOf(Outcome.class),
            e);
      }
    }
    return outcomes.isEmpty() ? Set.of(Outcome.COMPLETED) : outcomes;
  }
}
