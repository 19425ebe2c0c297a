package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.WorkspaceEntry;
import java.io.IOException;

/** The JSON forms of workspace files: those that come in, those that are told, those given back. */
final class FileJson {
  private FileJson() {}

  static void writeInput(FileInput file, FieldWriter fields) throws IOException {
    fields.text("path", file.path());
    fields.bytes("content", file.content());
    fields.integer("mode", file.mode());
  }

  static FileInput readInput(FieldReader fields) {
    return new FileInput(
        fields.requiredText("path"), fields.requiredBytes("content"), fields.smallInteger("mode"));
  }

  static void writeEntry(WorkspaceEntry entry, FieldWriter fields) throws IOException {
    fields.text("path", entry.path());
    fields.text("kind", entry.kind().name());
    fields.integer("mode", entry.mode());
    fields.integer("bytes", entry.bytes());
    fields.integer("modifiedNs", entry.modifiedNs());
    fields.text("sha256", entry.sha256());
    fields.text("target", entry.target());
  }

  static WorkspaceEntry readEntry(FieldReader fields) {
    return new WorkspaceEntry(
        fields.requiredText("path"),
        fields.requiredOneOf("kind", WorkspaceEntry.Kind.class),
        fields.requiredSmallInteger("mode"),
        fields.requiredInteger("bytes"),
        fields.requiredInteger("modifiedNs"),
        fields.text("sha256"),
        fields.text("target"));
  }

  static void writeArtifact(Artifact artifact, FieldWriter fields) throws IOException {
    fields.text("path", artifact.path());
    fields.integer("bytes", artifact.bytes());
    fields.text("sha256", artifact.sha256());
    fields.integer("mode", artifact.mode());
    fields.bytes("content", artifact.content());
    fields.text("problem", artifact.problem() == null ? null : artifact.problem().name());
    fields.text("reason", artifact.reason());
  }

  static Artifact readArtifact(FieldReader fields) {
    return new Artifact(
        fields.requiredText("path"),
        fields.requiredInteger("bytes"),
        fields.text("sha256"),
        fields.requiredSmallInteger("mode"),
        fields.bytes("content"),
        fields.oneOf("problem", Artifact.Problem.class),
        fields.text("reason"));
  }
}
