package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.StepKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads one step of a task. */
final class StepFields {
  /** Never sent: what is read is checked as a request is. */
  private static final String NO_ID = "task";

  private static final Set<String> OWN =
      Set.of("source", "shell", "argv", "stdin", "files", "expect");
  private static final Set<String> NAMES =
      Stream.concat(OWN.stream(), StepDefaults.FIELDS.stream())
          .collect(Collectors.toUnmodifiableSet());

  private StepFields() {}

  /**
   * A step.
   *
   * @param task what the step is in, for the place of a fault
   * @param node the step: a string of Python, or an object
   * @param ofTask the expectation that the task has for this step, or null
   * @param files what is put into the workspace before it, unless it brings the same
   */
  static Task.TaskStep read(
      TaskFields task,
      JsonNode node,
      @Nullable TaskFields ofTask,
      StepDefaults defaults,
      Map<String, String> files) {
    if (node.isTextual()) {
      ExecutionRequest what =
          request(task, StepKind.PYTHON, node.textValue(), List.of(), null, defaults, files);
      return new Task.TaskStep(what, ExpectationFields.read(ofTask));
    }
    if (!node.isObject()) {
      throw task.fault("a step must be a string or an object");
    }
    TaskFields fields = new TaskFields(task.place(), node).only(NAMES);
    TaskFields own = fields.object("expect");
    if (own != null && ofTask != null) {
      throw fields.fault("the last step and the task both have 'expect'");
    }
    return new Task.TaskStep(
        whatRuns(fields, defaults, files), ExpectationFields.read(own == null ? ofTask : own));
  }

  private static ExecutionRequest whatRuns(
      TaskFields fields, StepDefaults defaults, Map<String, String> files) {
    String source = fields.text("source");
    String shell = fields.text("shell");
    List<String> argv = fields.texts("argv");
    int given = (source == null ? 0 : 1) + (shell == null ? 0 : 1) + (argv.isEmpty() ? 0 : 1);
    if (given != 1) {
      throw fields.fault("exactly one of 'source', 'shell' and 'argv' must be there");
    }
    StepKind kind =
        source != null ? StepKind.PYTHON : shell != null ? StepKind.SHELL : StepKind.ARGV;
    if (kind != StepKind.PYTHON && fields.text("prelude") != null) {
      throw fields.fault("'prelude' goes with 'source' alone");
    }
    Map<String, String> all = new LinkedHashMap<>(files);
    all.putAll(fields.textsByName("files"));
    String text = source == null ? shell : source;
    try {
      return request(fields, kind, text, argv, fields.text("stdin"), defaults.with(fields), all);
    } catch (InvalidMessageException e) {
      throw fields.fault(String.valueOf(e.getMessage()));
    }
  }

  /** Refuses what no worker would take, before anything runs. */
  static ExecutionRequest request(
      TaskFields place,
      StepKind kind,
      @Nullable String source,
      List<String> argv,
      @Nullable String stdin,
      StepDefaults defaults,
      Map<String, String> files) {
    try {
      return new ExecutionRequest(
          NO_ID,
          null,
          kind,
          source,
          argv,
          stdin,
          defaults.profile(),
          defaults.limits(),
          defaults.environment(),
          null,
          null,
          inputs(files),
          List.of(),
          false,
          null,
          kind == StepKind.PYTHON ? defaults.prelude() : null);
    } catch (InvalidMessageException e) {
      throw place.fault(String.valueOf(e.getMessage()));
    }
  }

  private static List<FileInput> inputs(Map<String, String> files) {
    List<FileInput> inputs = new ArrayList<>();
    files.forEach(
        (path, text) ->
            inputs.add(new FileInput(path, Bytes.of(text.getBytes(StandardCharsets.UTF_8)), null)));
    return inputs;
  }
}
