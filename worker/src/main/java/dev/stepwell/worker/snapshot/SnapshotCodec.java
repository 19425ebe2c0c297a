package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.workspace.FolderCodec;
import dev.stepwell.worker.workspace.Node;
import java.nio.BufferUnderflowException;
import org.jspecify.annotations.Nullable;

/** How a snapshot is written: two references, how it came to be, and what was before. */
final class SnapshotCodec {
  private static final int FORMAT = 1;

  private SnapshotCodec() {}

  static void encode(Encoder out, Making making, Stored variables, Stored files, Past past) {
    out.tag(FORMAT).stored(variables).stored(files);
    making.encode(out);
    past.encode(out);
  }

  /** Reads a snapshot with all it consists of but the pieces. */
  static Snapshot read(Stored at, FolderCodec.Source source)
      throws SnapshotException, InterruptedException {
    byte[] object = source.read(at);
    try {
      Decoder in = new Decoder(object, at.at());
      int format = in.tag();
      if (format != FORMAT) {
        throw damaged(at, "it has the unknown format " + format, null);
      }
      Stored variablesAt = in.stored();
      Stored filesAt = in.stored();
      Making making = Making.decode(in);
      Past past = Past.decode(in);
      if (!Snapshot.id(variablesAt.id(), filesAt.id()).equals(at.id())) {
        throw damaged(at, "it has another hash", null);
      }
      SessionVariables variables = SessionVariables.decode(source.read(variablesAt), variablesAt);
      if (!variables.withPieces(variables.pieces()).id().equals(variablesAt.id())) {
        throw damaged(at, "its variables have another hash", null);
      }
      Node.Folder files = FolderCodec.read(filesAt, source);
      return new Snapshot(making, variables, files, past, at);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw damaged(at, "it can't be read", e);
    }
  }

  private static SnapshotException damaged(Stored at, String why, @Nullable Throwable cause) {
    return new SnapshotException("snapshot " + at.id().hex() + " is damaged: " + why, cause, true);
  }
}
