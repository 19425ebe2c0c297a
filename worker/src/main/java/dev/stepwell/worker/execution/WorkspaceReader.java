package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.WorkspaceEntry;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.RefusedPathException;
import dev.stepwell.worker.workspace.Trees;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers what is in a workspace. Immutable and thread-safe. */
final class WorkspaceReader {
  private static final int LINK_MODE = 0777;

  private final Pieces pieces;

  WorkspaceReader(Pieces pieces) {
    this.pieces = pieces;
  }

  static InvalidMessageException notFound(String field, String path) {
    return new InvalidMessageException(
        ErrorCode.FILE_NOT_FOUND, field, "the workspace has nothing at '" + path + "'");
  }

  SessionAnswer get(SessionOperation.GetFile get, Snapshot snapshot)
      throws SnapshotException, InterruptedException {
    Node node;
    try {
      node = Trees.find(snapshot.files(), get.path());
    } catch (RefusedPathException e) {
      throw notFound("operation.path", get.path());
    }
    if (node == null) {
      throw notFound("operation.path", get.path());
    }
    if (!(node instanceof Node.File file)) {
      throw new InvalidMessageException(
          ErrorCode.FILE_REFUSED,
          "operation.path",
          "'" + get.path() + "' is no regular file; links are not followed");
    }
    return new SessionAnswer.Content(
        References.text(snapshot.stored()),
        entry(get.path(), file),
        get.offset(),
        Bytes.of(range(file, get.offset(), get.length())));
  }

  /** All pieces of a file but its last are of one size, so the first that matters is known. */
  private byte[] range(Node.File file, long offset, int length)
      throws SnapshotException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long pieceStart = 0;
    long end = Math.min(file.bytes(), offset + length);
    for (Piece piece : file.content()) {
      long pieceEnd = pieceStart + piece.bytes();
      if (pieceEnd > offset && pieceStart < end) {
        byte[] content = pieces.read(piece);
        int from = (int) (Math.max(offset, pieceStart) - pieceStart);
        int to = (int) (Math.min(end, pieceEnd) - pieceStart);
        bytes.write(content, from, to - from);
      }
      pieceStart = pieceEnd;
    }
    return bytes.toByteArray();
  }

  SessionAnswer list(SessionOperation.ListFiles list, Snapshot snapshot) {
    List<WorkspaceEntry> entries = new ArrayList<>();
    Trees.walk(
        snapshot.files(),
        (path, node) -> {
          if (path.startsWith(list.prefix()) && isAfter(path, list.after())) {
            entries.add(entry(path, node));
          }
        });
    entries.sort((a, b) -> compare(a.path(), b.path()));
    return new SessionAnswer.Files(
        References.text(snapshot.stored()),
        entries.stream().limit(list.limit()).toList(),
        entries.size() > list.limit());
  }

  private static boolean isAfter(String path, @Nullable String after) {
    return after == null || compare(path, after) > 0;
  }

  private static int compare(String one, String other) {
    return Arrays.compareUnsigned(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private static WorkspaceEntry entry(String path, Node node) {
    if (node instanceof Node.File file) {
      return new WorkspaceEntry(
          path,
          WorkspaceEntry.Kind.FILE,
          file.mode(),
          file.bytes(),
          file.mtimeNs(),
          Artifacts.hash(file),
          null);
    }
    if (node instanceof Node.Link link) {
      return new WorkspaceEntry(
          path, WorkspaceEntry.Kind.LINK, LINK_MODE, 0, 0, null, link.target());
    }
    Node.Folder folder = (Node.Folder) node;
    return new WorkspaceEntry(
        path, WorkspaceEntry.Kind.FOLDER, folder.mode(), 0, folder.mtimeNs(), null, null);
  }
}
