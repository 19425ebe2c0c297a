package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.PathPattern;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.Trees;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the files that a request asked to have back. Immutable and thread-safe. */
final class Artifacts {
  /** What all artifacts of a result may have of content in it; the rest stays in the workspace. */
  static final long INLINE_BYTES = 256 << 10;

  /** How many a result tells at most, however many a pattern matches. */
  static final int MOST = 1000;

  private final Pieces pieces;

  Artifacts(Pieces pieces) {
    this.pieces = pieces;
  }

  /**
   * Collects them.
   *
   * @param wanted paths and patterns
   * @param kept whether what is not told here can be read from the session's workspace later
   * @throws SnapshotException if content can't be read
   */
  List<Artifact> collect(List<String> wanted, Node.Folder files, boolean kept)
      throws SnapshotException, InterruptedException {
    List<Artifact> missing = new ArrayList<>();
    SortedMap<String, Node> found = new TreeMap<>();
    for (String text : wanted) {
      if (!find(PathPattern.of(text), files, found)) {
        missing.add(
            Artifact.missing(text, Artifact.Problem.MISSING, "the workspace has nothing there"));
      }
    }
    List<Artifact> artifacts = new ArrayList<>();
    long left = INLINE_BYTES;
    for (var entry : found.entrySet()) {
      if (artifacts.size() >= MOST) {
        break;
      }
      Artifact artifact = artifact(entry.getKey(), entry.getValue(), left, kept);
      left -= artifact.content() == null ? 0 : artifact.bytes();
      artifacts.add(artifact);
    }
    artifacts.addAll(missing);
    return artifacts;
  }

  /** A pattern finds files and links; a plain path also finds a folder, to be refused. */
  private static boolean find(
      PathPattern pattern, Node.Folder files, SortedMap<String, Node> found) {
    int[] matches = {0};
    Trees.walk(
        files,
        (path, node) -> {
          boolean fits = !pattern.hasWildcards() || !(node instanceof Node.Folder);
          if (fits && pattern.matches(path)) {
            matches[0]++;
            found.put(path, node);
          }
        });
    return matches[0] > 0;
  }

  private Artifact artifact(String path, Node node, long inlineLeft, boolean kept)
      throws SnapshotException, InterruptedException {
    if (node instanceof Node.Link) {
      return Artifact.missing(
          path, Artifact.Problem.LINK, "it is a symbolic link, and links are not followed");
    }
    if (!(node instanceof Node.File file)) {
      return Artifact.missing(
          path,
          Artifact.Problem.FOLDER,
          "it is a folder; ask for the files in it: " + path + "/**");
    }
    if (file.bytes() <= inlineLeft) {
      byte[] content = read(file);
      return whole(path, file, PieceId.of(content).hex(), Bytes.of(content));
    }
    if (!kept) {
      return Artifact.missing(
          path,
          Artifact.Problem.TOO_LARGE,
          "a result carries at most "
              + INLINE_BYTES
              + " bytes of files, and without a session nothing keeps the rest");
    }
    return whole(path, file, hash(file), null);
  }

  private static Artifact whole(
      String path, Node.File file, @Nullable String sha256, @Nullable Bytes content) {
    return new Artifact(path, file.bytes(), sha256, file.mode(), content, null, null);
  }

  /** A file's hash where it is at hand: that of a file of one piece. */
  static @Nullable String hash(Node.File file) {
    return switch (file.content().size()) {
      case 0 -> PieceId.of(new byte[0]).hex();
      case 1 -> file.content().get(0).id().hex();
      default -> null;
    };
  }

  private byte[] read(Node.File file) throws SnapshotException, InterruptedException {
    ByteArrayOutputStream content = new ByteArrayOutputStream((int) file.bytes());
    for (Piece piece : file.content()) {
      content.writeBytes(pieces.read(piece));
    }
    return content.toByteArray();
  }
}
