package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionAnswer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The JSON form of {@link SessionAnswer}: an object whose {@code type} says which it is. */
final class SessionAnswerJson {
  private SessionAnswerJson() {}

  static void write(SessionAnswer answer, FieldWriter fields) throws IOException {
    if (answer instanceof SessionAnswer.Located located) {
      fields.text("type", Type.LOCATED.name());
      fields.text("reference", located.reference());
      fields.integer("step", located.step());
    } else if (answer instanceof SessionAnswer.History history) {
      fields.text("type", Type.HISTORY.name());
      fields.objects("steps", history.entries(), SessionAnswerJson::writeStep);
      fields.flag("more", history.more());
    } else if (answer instanceof SessionAnswer.Files files) {
      fields.text("type", Type.FILES.name());
      fields.text("reference", files.reference());
      fields.objects("files", files.entries(), FileJson::writeEntry);
      fields.flag("more", files.more());
    } else if (answer instanceof SessionAnswer.Content content) {
      fields.text("type", Type.CONTENT.name());
      fields.text("reference", content.reference());
      fields.object("file", content.entry(), FileJson::writeEntry);
      fields.integer("offset", content.offset());
      fields.bytes("content", content.content());
    }
  }

  static @Nullable SessionAnswer read(@Nullable FieldReader fields) {
    if (fields == null) {
      return null;
    }
    return switch (fields.requiredOneOf("type", Type.class)) {
      case LOCATED ->
          new SessionAnswer.Located(
              fields.requiredText("reference"), fields.requiredInteger("step"));
      case HISTORY ->
          new SessionAnswer.History(
              fields.objects("steps").stream().map(SessionAnswerJson::readStep).toList(),
              fields.requiredFlag("more"));
      case FILES ->
          new SessionAnswer.Files(
              fields.requiredText("reference"),
              fields.objects("files").stream().map(FileJson::readEntry).toList(),
              fields.requiredFlag("more"));
      case CONTENT ->
          new SessionAnswer.Content(
              fields.requiredText("reference"),
              FileJson.readEntry(fields.requiredObject("file")),
              fields.requiredInteger("offset"),
              fields.requiredBytes("content"));
    };
  }

  private static void writeStep(HistoryEntry entry, FieldWriter fields) throws IOException {
    fields.integer("step", entry.step());
    fields.text("snapshot", entry.snapshot());
    fields.text("requestId", entry.requestId());
    fields.text("outcome", entry.outcome().name());
    fields.integer("finishedAtMs", entry.finishedAtMs());
    fields.integer("bytes", entry.bytes());
    fields.flag("retained", entry.retained());
  }

  private static HistoryEntry readStep(FieldReader fields) {
    return new HistoryEntry(
        fields.requiredInteger("step"),
        fields.text("snapshot"),
        fields.requiredText("requestId"),
        fields.requiredOneOf("outcome", Outcome.class),
        fields.requiredInteger("finishedAtMs"),
        fields.requiredInteger("bytes"),
        fields.requiredFlag("retained"));
  }

  private enum Type {
    LOCATED,
    HISTORY,
    FILES,
    CONTENT
  }
}
