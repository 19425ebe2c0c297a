package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import java.io.IOException;

/** The JSON form of {@link ExecutionRequest}. */
final class RequestJson {
  private RequestJson() {}

  static void write(ExecutionRequest request, FieldWriter fields) throws IOException {
    fields.integer("version", ExecutionRequest.VERSION);
    fields.text("requestId", request.requestId());
    fields.text("sessionId", request.sessionId());
    fields.text("kind", request.kind().name());
    fields.text("source", request.source());
    if (!request.argv().isEmpty()) {
      fields.texts("argv", request.argv());
    }
    fields.text("stdin", request.stdin());
    fields.text("profile", request.profile());
    if (!request.limits().equals(RequestLimits.DEFAULTS)) {
      fields.object("limits", request.limits(), RequestJson::writeLimits);
    }
    if (!request.environment().isEmpty()) {
      fields.textByName("environment", request.environment());
    }
    fields.integer("deadlineMs", request.deadlineMs());
    fields.text("replyTo", request.replyTo());
  }

  private static void writeLimits(RequestLimits limits, FieldWriter fields) throws IOException {
    fields.integer("wallTimeMs", limits.wallTimeMs());
    fields.integer("memoryBytes", limits.memoryBytes());
    fields.integer("outputBytes", limits.outputBytes());
    fields.integer("stateBytes", limits.stateBytes());
  }

  static ExecutionRequest read(FieldReader fields) {
    return new ExecutionRequest(
        fields.requiredText("requestId"),
        fields.text("sessionId"),
        fields.requiredOneOf("kind", StepKind.class),
        fields.text("source"),
        fields.texts("argv"),
        fields.text("stdin"),
        fields.text("profile"),
        readLimits(fields),
        fields.textByName("environment"),
        fields.integer("deadlineMs"),
        fields.text("replyTo"));
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
}
