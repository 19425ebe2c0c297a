package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.SnapshotReference;
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
  }

  private static void writeSnapshot(SnapshotReference snapshot, FieldWriter fields)
      throws IOException {
    fields.text("id", snapshot.id());
    fields.integer("bytes", snapshot.bytes());
    fields.integer("kept", snapshot.kept());
    fields.integers("offsets", snapshot.offsets());
  }

  static Head read(FieldReader fields) {
    return new Head(
        fields.requiredInteger("step"),
        fields.requiredInteger("lastOffset"),
        fields.texts("recentRequests"),
        readSnapshot(fields.object("snapshot")));
  }

  private static @Nullable SnapshotReference readSnapshot(@Nullable FieldReader fields) {
    return fields == null
        ? null
        : new SnapshotReference(
            fields.requiredText("id"),
            fields.requiredInteger("bytes"),
            fields.requiredSmallInteger("kept"),
            fields.integers("offsets"));
  }
}
