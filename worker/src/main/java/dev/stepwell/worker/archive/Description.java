package dev.stepwell.worker.archive;

import dev.stepwell.worker.snapshot.Making;
import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.workspace.FolderCodec;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.RefusedPathException;
import dev.stepwell.worker.workspace.TreePath;
import dev.stepwell.worker.workspace.Trees;
import java.nio.BufferUnderflowException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that a snapshot says, and nothing of where it lies: its variables' table, its tree of files,
 * and how it came to be; immutable. The snapshots before it are left out.
 *
 * @param making how it came to be
 * @param variables its variables, their pieces without places
 * @param files its workspace, the content of files without places
 */
record Description(Making making, SessionVariables variables, Node.Folder files) {
  private static final int FORMAT = 1;
  private static final int FILE = 'f';
  private static final int LINK = 'l';
  private static final int FOLDER = 'd';

  static Description of(Snapshot snapshot) {
    return new Description(snapshot.making(), snapshot.variables(), snapshot.files());
  }

  /** The snapshot's name. */
  String id() {
    return Snapshot.id(variables.id(), FolderCodec.id(files)).hex();
  }

  /** The different pieces, by name, in the order of their first use. */
  Map<String, Piece> pieces() {
    Map<String, Piece> pieces = new LinkedHashMap<>();
    variables.pieces().forEach(piece -> pieces.putIfAbsent(piece.id().hex(), piece));
    Trees.walk(
        files,
        (path, node) -> {
          if (node instanceof Node.File file) {
            file.content().forEach(piece -> pieces.putIfAbsent(piece.id().hex(), piece));
          }
        });
    return pieces;
  }

  byte[] encode() {
    Encoder out = Encoder.ofContent().tag(FORMAT);
    out.number(making.step()).text(making.requestId()).text(making.outcome());
    out.number(making.finishedAtMs());
    out.data(variables.body()).pieces(variables.pieces()).integers(variables.eager());
    out.integer(variables.kept()).number(variables.liveBytes()).text(variables.image());
    encode(files, out);
    return out.toByteArray();
  }

  private static void encode(Node.Folder folder, Encoder out) {
    out.integer(folder.children().size());
    folder.children().forEach((name, node) -> encode(name, node, out));
  }

  private static void encode(String name, Node node, Encoder out) {
    if (node instanceof Node.File file) {
      out.tag(FILE).text(name).integer(file.mode()).number(file.mtimeNs());
      out.number(file.bytes()).pieces(file.content());
    } else if (node instanceof Node.Link link) {
      out.tag(LINK).text(name).text(link.target());
    } else if (node instanceof Node.Folder inner) {
      out.tag(FOLDER).text(name).integer(inner.mode()).number(inner.mtimeNs());
      encode(inner, out);
    }
  }

  /**
   * Reads what {@link #encode} wrote, and trusts none of it.
   *
   * @throws ArchiveException if it can't be that
   */
  static Description decode(byte[] bytes) throws ArchiveException {
    Decoder in = Decoder.ofContent(bytes);
    try {
      int format = in.tag();
      if (format != FORMAT) {
        throw ArchiveException.permanent(
            "the description of a snapshot has format %d, and this version of Stepwell reads %d:"
                    .formatted(format, FORMAT)
                + " use a newer one",
            null);
      }
      Making making = new Making(in.number(), in.text(), in.text(), in.number(), 0);
      SessionVariables variables =
          new SessionVariables(
              in.data(), in.pieces(), in.integers(), in.integer(), in.number(), in.text(), null);
      Node.Folder none = Node.Folder.EMPTY;
      Node.Folder files = folder(in, none.mode(), none.mtimeNs(), "");
      if (!in.atEnd()) {
        throw new IllegalArgumentException("it goes on behind its end");
      }
      return new Description(making, variables, files);
    } catch (BufferUnderflowException | IllegalArgumentException | RefusedPathException e) {
      throw ArchiveException.permanent("the description of a snapshot is damaged: " + e, e);
    }
  }

  private static Node.Folder folder(Decoder in, int mode, long mtimeNs, String prefix)
      throws RefusedPathException {
    SortedMap<String, Node> children = new TreeMap<>();
    int count = in.integer();
    for (int i = 0; i < count; i++) {
      int kind = in.tag();
      String name = in.text();
      String path = prefix + name;
      // Bounds the depth, too; a name with a slash would have more parts than its path.
      List<String> parts = TreePath.parts(path);
      if (!parts.get(parts.size() - 1).equals(name)) {
        throw new IllegalArgumentException("a name with a slash");
      }
      children.put(name, node(in, kind, path));
    }
    return new Node.Folder(mode, mtimeNs, children, null);
  }

  private static Node node(Decoder in, int kind, String path) throws RefusedPathException {
    return switch (kind) {
      case FILE -> new Node.File(in.integer(), in.number(), in.number(), in.pieces());
      case LINK -> new Node.Link(in.text());
      case FOLDER -> folder(in, in.integer(), in.number(), path + "/");
      default -> throw new IllegalArgumentException("an entry of kind " + kind);
    };
  }
}
