package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The JSON form of {@link ExecutionResult}. */
final class ResultJson {
  private ResultJson() {}

  static void write(ExecutionResult result, FieldWriter fields) throws IOException {
    fields.integer("version", ExecutionResult.VERSION);
    fields.text("requestId", result.requestId());
    fields.text("sessionId", result.sessionId());
    fields.integer("step", result.step());
    fields.text("outcome", result.outcome().name());
    fields.integer("exitCode", result.exitCode());
    fields.text("signal", result.signal());
    fields.text("stdout", result.stdout());
    fields.text("stderr", result.stderr());
    fields.object("truncation", result.truncation(), ResultJson::writeTruncation);
    fields.object("value", result.value(), ResultJson::writeValue);
    fields.objects("displays", result.displays(), ResultJson::writeValue);
    fields.object("exception", result.exception(), ResultJson::writeException);
    fields.object("error", result.error(), ResultJson::writeError);
    fields.object("state", result.state(), ResultJson::writeState);
    fields.objects("artifacts", result.artifacts(), FileJson::writeArtifact);
    fields.object("session", result.session(), SessionAnswerJson::write);
    fields.object("timings", result.timings(), ResultJson::writeTimings);
    fields.object("usage", result.usage(), ResultJson::writeUsage);
    fields.text("workerId", result.workerId());
    fields.text("sandboxId", result.sandboxId());
    fields.integer("attempt", result.attempt());
  }

  private static void writeTruncation(Truncation truncation, FieldWriter fields)
      throws IOException {
    fields.integer("stdoutBytes", truncation.stdoutBytes());
    fields.integer("stderrBytes", truncation.stderrBytes());
  }

  private static void writeValue(Value value, FieldWriter fields) throws IOException {
    fields.text("text", value.text());
    fields.text("type", value.type());
    fields.textByName("mime", value.mime());
  }

  private static void writeException(ExceptionReport exception, FieldWriter fields)
      throws IOException {
    fields.text("name", exception.name());
    fields.text("message", exception.message());
    fields.text("traceback", exception.traceback());
    fields.integer("line", exception.line());
  }

  private static void writeError(ResultError error, FieldWriter fields) throws IOException {
    fields.text("code", error.code().name());
    fields.text("message", error.message());
    fields.text("field", error.field());
    fields.flag("retrySafe", error.retrySafe());
  }

  private static void writeState(StateReport state, FieldWriter fields) throws IOException {
    fields.text("snapshot", state.snapshot());
    fields.flag("saved", state.saved());
    fields.integer("bytes", state.bytes());
    fields.integer("newBytes", state.newBytes());
    fields.integer("kept", state.kept());
    fields.objects("lost", state.lost(), ResultJson::writeLost);
    fields.integer("files", state.files());
    fields.integer("fileBytes", state.fileBytes());
  }

  private static void writeLost(LostValue lost, FieldWriter fields) throws IOException {
    fields.text("name", lost.name());
    fields.text("path", lost.path());
    fields.text("type", lost.type());
    fields.text("reason", lost.reason());
    fields.text("hint", lost.hint());
  }

  private static void writeTimings(Timings timings, FieldWriter fields) throws IOException {
    fields.number("queuedMs", timings.queuedMs());
    fields.number("acquiredMs", timings.acquiredMs());
    fields.number("restoredMs", timings.restoredMs());
    fields.number("ranMs", timings.ranMs());
    fields.number("savedMs", timings.savedMs());
    fields.number("committedMs", timings.committedMs());
  }

  private static void writeUsage(Usage usage, FieldWriter fields) throws IOException {
    fields.number("cpuMs", usage.cpuMs());
    fields.integer("peakMemoryBytes", usage.peakMemoryBytes());
    fields.text("enforcement", usage.enforcement());
  }

  static ExecutionResult read(FieldReader fields) {
    return new ExecutionResult(
        fields.requiredText("requestId"),
        fields.text("sessionId"),
        fields.integer("step"),
        fields.requiredOneOf("outcome", Outcome.class),
        fields.smallInteger("exitCode"),
        fields.text("signal"),
        fields.requiredText("stdout"),
        fields.requiredText("stderr"),
        readTruncation(fields.requiredObject("truncation")),
        readValue(fields.object("value")),
        fields.objects("displays").stream().map(ResultJson::value).toList(),
        readException(fields.object("exception")),
        readError(fields.object("error")),
        readState(fields.object("state")),
        fields.objects("artifacts").stream().map(FileJson::readArtifact).toList(),
        SessionAnswerJson.read(fields.object("session")),
        readTimings(fields.requiredObject("timings")),
        readUsage(fields.requiredObject("usage")),
        fields.requiredText("workerId"),
        fields.text("sandboxId"),
        fields.requiredSmallInteger("attempt"));
  }

  private static Truncation readTruncation(FieldReader fields) {
    return new Truncation(
        fields.requiredInteger("stdoutBytes"), fields.requiredInteger("stderrBytes"));
  }

  private static @Nullable Value readValue(@Nullable FieldReader fields) {
    return fields == null ? null : value(fields);
  }

  private static Value value(FieldReader fields) {
    return new Value(
        fields.requiredText("text"), fields.requiredText("type"), fields.textByName("mime"));
  }

  private static @Nullable ExceptionReport readException(@Nullable FieldReader fields) {
    return fields == null
        ? null
        : new ExceptionReport(
            fields.requiredText("name"),
            fields.requiredText("message"),
            fields.requiredText("traceback"),
            fields.smallInteger("line"));
  }

  private static @Nullable ResultError readError(@Nullable FieldReader fields) {
    return fields == null
        ? null
        : new ResultError(
            fields.requiredOneOf("code", ErrorCode.class),
            fields.requiredText("message"),
            fields.text("field"),
            fields.requiredFlag("retrySafe"));
  }

  private static @Nullable StateReport readState(@Nullable FieldReader fields) {
    return fields == null
        ? null
        : new StateReport(
            fields.text("snapshot"),
            fields.requiredFlag("saved"),
            fields.requiredInteger("bytes"),
            fields.requiredInteger("newBytes"),
            fields.requiredSmallInteger("kept"),
            fields.objects("lost").stream().map(ResultJson::readLost).toList(),
            fields.requiredSmallInteger("files"),
            fields.requiredInteger("fileBytes"));
  }

  private static LostValue readLost(FieldReader fields) {
    return new LostValue(
        fields.requiredText("name"),
        fields.requiredText("path"),
        fields.requiredText("type"),
        fields.requiredText("reason"),
        fields.text("hint"));
  }

  private static Timings readTimings(FieldReader fields) {
    return new Timings(
        fields.requiredNumber("queuedMs"),
        fields.requiredNumber("acquiredMs"),
        fields.requiredNumber("restoredMs"),
        fields.requiredNumber("ranMs"),
        fields.requiredNumber("savedMs"),
        fields.requiredNumber("committedMs"));
  }

  private static Usage readUsage(FieldReader fields) {
    return new Usage(
        fields.number("cpuMs"),
        fields.integer("peakMemoryBytes"),
        fields.requiredText("enforcement"));
  }
}
