package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.StepKind;
import java.io.IOException;

/** The JSON form of {@link Request}: its {@code kind} says what it asks for. */
final class RequestJson {
  private RequestJson() {}

  static void write(Request request, FieldWriter fields) throws IOException {
    fields.integer("version", Request.VERSION);
    fields.text("requestId", request.requestId());
    fields.text("sessionId", request.sessionId());
    if (request instanceof ExecutionRequest execution) {
      writeExecution(execution, fields);
    } else if (request instanceof SessionRequest session) {
      fields.text("kind", Kind.SESSION.name());
      fields.object("operation", session.operation(), OperationJson::write);
    }
    fields.integer("deadlineMs", request.deadlineMs());
    fields.text("replyTo", request.replyTo());
  }

  private static void writeExecution(ExecutionRequest request, FieldWriter fields)
      throws IOException {
    fields.text("kind", request.kind().name());
    fields.text("source", request.source());
    fields.text("prelude", request.prelude());
    if (!request.argv().isEmpty()) {
      fields.texts("argv", request.argv());
    }
    fields.text("stdin", request.stdin());
    if (!request.files().isEmpty()) {
      fields.objects("files", request.files(), FileJson::writeInput);
    }
    if (!request.artifacts().isEmpty()) {
      fields.texts("artifacts", request.artifacts());
    }
    fields.text("base", request.base());
    if (request.strictState()) {
      fields.flag("strictState", true);
    }
    fields.text("profile", request.profile());
    if (!request.limits().equals(RequestLimits.DEFAULTS)) {
      fields.object("limits", request.limits(), RequestJson::writeLimits);
    }
    if (!request.environment().isEmpty()) {
      fields.textByName("environment", request.environment());
    }
  }

  private static void writeLimits(RequestLimits limits, FieldWriter fields) throws IOException {
    fields.integer("wallTimeMs", limits.wallTimeMs());
    fields.integer("memoryBytes", limits.memoryBytes());
    fields.integer("outputBytes", limits.outputBytes());
    fields.integer("stateBytes", limits.stateBytes());
  }

  static Request read(FieldReader fields) {
    return switch (fields.requiredOneOf("kind", Kind.class)) {
      case PYTHON -> readExecution(StepKind.PYTHON, fields);
      case SHELL -> readExecution(StepKind.SHELL, fields);
      case ARGV -> readExecution(StepKind.ARGV, fields);
      case SESSION ->
          new SessionRequest(
              fields.requiredText("requestId"),
              fields.text("sessionId"),
              OperationJson.read(fields.requiredObject("operation")),
              fields.integer("deadlineMs"),
              fields.text("replyTo"));
    };
  }

  private static ExecutionRequest readExecution(StepKind kind, FieldReader fields) {
    return new ExecutionRequest(
        fields.requiredText("requestId"),
        fields.text("sessionId"),
        kind,
        fields.text("source"),
        fields.texts("argv"),
        fields.text("stdin"),
        fields.text("profile"),
        readLimits(fields),
        fields.textByName("environment"),
        fields.integer("deadlineMs"),
        fields.text("replyTo"),
        fields.objects("files").stream().map(FileJson::readInput).toList(),
        fields.texts("artifacts"),
        fields.flag("strictState"),
        fields.text("base"),
        fields.text("prelude"));
  }

  private static RequestLimits readLimits(FieldReader request) {
    FieldReader limits = request.object("limits");
    return limits == null
        ? RequestLimits.DEFAULTS
        : new RequestLimits(
            limits.integer("wallTimeMs"),
            limits.integer("memoryBytes"),
            limits.integer("outputBytes"),
            limits.integer("stateBytes"));
  }

  /** The kinds of step, and the one that is none. */
  private enum Kind {
    PYTHON,
    SHELL,
    ARGV,
    SESSION
  }
}
