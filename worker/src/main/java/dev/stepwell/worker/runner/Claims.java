package dev.stepwell.worker.runner;

import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Value;
import dev.stepwell.worker.runner.StepReport.Ending;
import dev.stepwell.worker.runner.StepReport.Limit;
import dev.stepwell.worker.runner.StepReport.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes values of the fields in which a sandbox tells of its step. */
final class Claims {
  // A frame has room for more; a step that loses more than this gains nothing by a longer list.
  private static final int MAX_LOST = 1000;

  private Claims() {}

  static Verdict verdict(Fields fields) throws ChannelViolation {
    Ending ending = ending(fields);
    return new Verdict(
        ending,
        value(fields),
        ending == Ending.EXCEPTION ? exception(fields) : null,
        limit(fields),
        fields.text("restoreError"));
  }

  /** Refuses an end whose numbers are none, or that says both or neither of how it came. */
  static void checkEnd(Fields fields) throws ChannelViolation {
    if ((integer(fields, "exitCode") == null) == (integer(fields, "signal") == null)) {
      throw new ChannelViolation("an end without either an exit code or a signal");
    }
    for (String name :
        List.of("killed", "cpuUs", "maxRssBytes", "stdoutDropped", "stderrDropped", "refused")) {
      fields.number(name, 0);
    }
  }

  static @Nullable Integer integer(Fields fields, String name) throws ChannelViolation {
    Long value = fields.number(name);
    if (value == null) {
      return null;
    }
    if (value > Integer.MAX_VALUE) {
      throw new ChannelViolation("the field " + name + " is out of range");
    }
    return value.intValue();
  }

  private static Ending ending(Fields fields) throws ChannelViolation {
    String ending = fields.text("ending", "");
    return switch (ending) {
      case "completed" -> Ending.COMPLETED;
      case "exception" -> Ending.EXCEPTION;
      case "exit" -> Ending.EXIT;
      default -> throw new ChannelViolation("a verdict without an ending");
    };
  }

  private static @Nullable Limit limit(Fields fields) throws ChannelViolation {
    String limit = fields.text("limit");
    if (limit == null) {
      return null;
    }
    return switch (limit) {
      case "memory" -> Limit.MEMORY;
      case "processes" -> Limit.PROCESSES;
      case "disk" -> Limit.DISK;
      default -> throw new ChannelViolation("a verdict with an unknown limit");
    };
  }

  private static @Nullable Value value(Fields fields) {
    String text = fields.text("value.text");
    if (text == null) {
      return null;
    }
    Map<String, String> mime = new LinkedHashMap<>();
    for (String type : fields.namesAfter("value.mime.")) {
      mime.put(type, fields.text("value.mime." + type, ""));
    }
    return new Value(text, fields.text("value.type", ""), mime);
  }

  private static @Nullable ExceptionReport exception(Fields fields) throws ChannelViolation {
    String name = fields.text("exception.name");
    if (name == null) {
      return null;
    }
    return new ExceptionReport(
        name,
        fields.text("exception.message", ""),
        fields.text("exception.traceback", ""),
        integer(fields, "exception.line"));
  }

  static List<LostValue> lost(Fields fields) {
    List<LostValue> lost = new ArrayList<>();
    for (int index = 0; index < MAX_LOST; index++) {
      String prefix = "lost." + index + ".";
      String name = fields.text(prefix + "name");
      if (name == null) {
        break;
      }
      lost.add(
          new LostValue(
              name,
              fields.text(prefix + "path", name),
              fields.text(prefix + "type", ""),
              fields.text(prefix + "reason", ""),
              fields.text(prefix + "hint")));
    }
    return lost;
  }
}
