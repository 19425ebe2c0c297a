package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateSize;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The JSON form of {@link Head}. */
final class HeadJson {
  private HeadJson() {}

  static void write(Head head, FieldWriter fields) throws IOException {
    fields.integer("version", Head.VERSION);
    fields.integer("step", head.step());
    fields.integer("lastOffset", head.lastOffset());
    fields.texts("recentRequests", head.recentRequests());
    fields.object("snapshot", head.snapshot(), HeadJson::writeSnapshot);
    if (head.reseed()) {
      fields.flag("reseed", true);
    }
  }

  private static void writeSnapshot(SnapshotReference snapshot, FieldWriter fields)
      throws IOException {
    fields.text("id", snapshot.id());
    fields.integer("partition", snapshot.partition());
    fields.integer("offset", snapshot.offset());
    fields.integer("records", snapshot.records());
    fields.integer("start", snapshot.start());
    fields.integer("bytes", snapshot.bytes());
    fields.integer("writtenAtMs", snapshot.writtenAtMs());
    fields.integer("variableBytes", snapshot.state().variableBytes());
    fields.integer("kept", snapshot.state().kept());
    fields.integer("files", snapshot.state().files());
    fields.integer("fileBytes", snapshot.state().fileBytes());
  }

  static Head read(FieldReader fields) {
    return new Head(
        fields.requiredInteger("step"),
        fields.requiredInteger("lastOffset"),
        fields.texts("recentRequests"),
        readSnapshot(fields.object("snapshot")),
        fields.flag("reseed"));
  }

  private static @Nullable SnapshotReference readSnapshot(@Nullable FieldReader fields) {
    return fields == null
        ? null
        : new SnapshotReference(
            fields.requiredText("id"),
            fields.requiredSmallInteger("partition"),
            fields.requiredInteger("offset"),
            fields.requiredSmallInteger("records"),
            fields.requiredSmallInteger("start"),
            fields.requiredSmallInteger("bytes"),
            fields.requiredInteger("writtenAtMs"),
            new StateSize(
                fields.requiredInteger("variableBytes"),
                fields.requiredSmallInteger("kept"),
                fields.requiredSmallInteger("files"),
                fields.requiredInteger("fileBytes")));
  }
}
