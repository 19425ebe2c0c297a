package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.InvalidMessageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads tasks of Stepwell's own form, which {@code docs/eval-format.md} describes. */
public final class JsonlTasks {
  private static final Set<String> TASK_FIELDS =
      Stream.concat(
              Stream.of(
                  "id",
                  "steps",
                  "prepare",
                  "candidates",
                  "check",
                  "reseed",
                  "repeatable",
                  "files",
                  "expect"),
              StepDefaults.FIELDS.stream())
          .collect(Collectors.toUnmodifiableSet());

  private final TaskFields task;
  private final StepDefaults defaults;
  private final Map<String, String> files;

  private JsonlTasks(TaskFields task, StepDefaults defaults) {
    this.task = task;
    this.defaults = defaults;
    this.files = task.textsByName("files");
  }

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
      tasks.add(task(id, fields, limits));
    }
    return tasks;
  }

  private static Task task(String id, TaskFields fields, TaskLimits limits) {
    try {
      JsonlTasks reader = new JsonlTasks(fields, limits.defaults().with(fields));
      return fields.has("candidates") ? reader.bestOf(id) : reader.plain(id);
    } catch (InvalidMessageException e) {
      // Of a limit that no request may have.
      throw fields.fault(String.valueOf(e.getMessage()));
    }
  }

  private Task plain(String id) {
    for (String name : List.of("prepare", "check", "reseed")) {
      if (task.has(name)) {
        throw task.fault("'" + name + "' goes with 'candidates'");
      }
    }
    List<Task.TaskStep> steps = steps("steps", task.array("steps"), task.object("expect"), true);
    return Task.plain(id, steps, task.flag("repeatable"));
  }

  private Task bestOf(String id) {
    if (task.has("steps")) {
      throw task.fault("'steps' and 'candidates' can't both be there");
    }
    TaskFields expect = task.object("expect");
    boolean checked = task.has("check");
    boolean prepared = task.has("prepare");
    List<Task.TaskStep> prepare =
        prepared ? steps("prepare", task.array("prepare"), null, true) : List.of();
    List<Task.TaskStep> check =
        checked ? steps("check", task.array("check"), expect, false) : List.of();
    List<Task.Candidate> candidates = new ArrayList<>();
    for (JsonNode node : task.array("candidates")) {
      if (!node.isArray() || node.isEmpty()) {
        throw task.fault("each of 'candidates' must be an array that is not empty");
      }
      List<JsonNode> nodes = new ArrayList<>();
      node.forEach(nodes::add);
      candidates.add(
          new Task.Candidate(
              steps("candidates", nodes, checked ? null : expect, !prepared), node.toString()));
    }
    boolean reseed = task.flag("reseed");
    if (reseed && !prepared) {
      throw task.fault("'reseed' goes with 'prepare'");
    }
    return new Task(id, id, 1, true, prepare, candidates, check, reseed, task.flag("repeatable"));
  }

  /**
   * Steps of the task.
   *
   * @param ofLast the expectation that the task has for the last of them, or null
   * @param first whether the first of them is the first in its workspace
   */
  private List<Task.TaskStep> steps(
      String name, List<JsonNode> nodes, @Nullable TaskFields ofLast, boolean first) {
    TaskFields place = new TaskFields(task.place() + ", " + name, task.object());
    List<Task.TaskStep> steps = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      TaskFields ofTask = i == nodes.size() - 1 ? ofLast : null;
      Map<String, String> put = first && i == 0 ? files : Map.of();
      steps.add(StepFields.read(place, nodes.get(i), ofTask, defaults, put));
    }
    return steps;
  }
}
