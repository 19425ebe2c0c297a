package dev.stepwell.worker.execution;

import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.worker.runner.FileEntry;
import dev.stepwell.worker.state.NewPieces;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.RefusedPathException;
import dev.stepwell.worker.workspace.TreeEditor;
import dev.stepwell.worker.workspace.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Goes between a workspace as a tree and as the entries that a runner deals in. */
final class TreeFiles {
  /** What results call the workspace where they tell of files that were not kept. */
  private static final String WORKSPACE = "/workspace";

  private TreeFiles() {}

  /**
   * A tree as entries; immutable.
   *
   * @param entries folders before what is in them
   * @param table the pieces that the files are made of, each once
   */
  record Listing(List<FileEntry> entries, List<Piece> table) {}

  static Listing listing(Node.Folder tree) {
    Map<Piece, Integer> places = new LinkedHashMap<>();
    List<FileEntry> entries = new ArrayList<>();
    Trees.walk(tree, (path, node) -> entries.add(entry(path, node, places)));
    return new Listing(entries, List.copyOf(places.keySet()));
  }

  private static FileEntry entry(String path, Node node, Map<Piece, Integer> places) {
    if (node instanceof Node.File file) {
      List<Integer> content = new ArrayList<>();
      for (Piece piece : file.content()) {
        Integer known = places.putIfAbsent(piece, places.size());
        content.add(known == null ? places.size() - 1 : known);
      }
      return new FileEntry.Plain(path, file.mode(), file.mtimeNs(), file.bytes(), content);
    }
    if (node instanceof Node.Link link) {
      return new FileEntry.Link(path, link.target());
    }
    Node.Folder folder = (Node.Folder) node;
    return new FileEntry.Folder(path, folder.mode(), folder.mtimeNs());
  }

  /**
   * Applies what a step did to a tree. What a workspace can't hold is left out and told.
   *
   * @param uploads the new content, in the order in which it came
   * @param known gives for new content the same content where it is durable already
   */
  static Node.Folder apply(
      Node.Folder tree,
      List<FileEntry> changes,
      List<Piece> uploads,
      UnaryOperator<Piece> known,
      List<LostValue> lost) {
    TreeEditor editor = new TreeEditor(tree);
    for (FileEntry change : changes) {
      try {
        apply(editor, change, uploads, known, lost);
      } catch (RefusedPathException e) {
        lost.add(lost(e.path(), "file", e.reason()));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        // What the sandbox said of it doesn't fit what it sent.
        lost.add(lost(change.path(), "file", "its content did not come whole"));
      }
    }
    return editor.tree();
  }

  private static void apply(
      TreeEditor editor,
      FileEntry change,
      List<Piece> uploads,
      UnaryOperator<Piece> known,
      List<LostValue> lost)
      throws RefusedPathException {
    if (change instanceof FileEntry.Folder folder) {
      editor.folder(folder.path(), folder.mode(), folder.mtimeNs());
    } else if (change instanceof FileEntry.Plain file) {
      // Whatever had the name before is not what the step left there.
      editor.remove(file.path());
      List<Piece> content = file.pieces().stream().map(uploads::get).map(known).toList();
      editor.put(file.path(), new Node.File(file.mode(), file.mtimeNs(), file.bytes(), content));
    } else if (change instanceof FileEntry.Link link) {
      editor.put(link.path(), new Node.Link(link.target()));
    } else if (change instanceof FileEntry.Removed removed) {
      editor.remove(removed.path());
    } else if (change instanceof FileEntry.Refused refused) {
      lost.add(lost(refused.path(), refused.type(), refused.reason()));
    }
  }

  static LostValue lost(String path, String type, String reason) {
    return new LostValue(
        WORKSPACE,
        WORKSPACE + "/" + path,
        type,
        reason,
        "keep regular files, folders and links, within the profile's limits");
  }

  /**
   * Puts the files of a request into a tree.
   *
   * @throws RefusedPathException if one can't be where it is to be
   * @throws IOException if this worker can't take the content in
   */
  static Node.Folder put(Node.Folder tree, List<FileInput> files, NewPieces into, long nowMs)
      throws RefusedPathException, IOException {
    TreeEditor editor = new TreeEditor(tree);
    for (FileInput file : files) {
      byte[] bytes = file.content().toArray();
      List<Piece> content = new ArrayList<>();
      for (int from = 0; from < bytes.length; from += Piece.MAX_BYTES) {
        content.add(into.add(bytes, from, Math.min(Piece.MAX_BYTES, bytes.length - from)));
      }
      long mtimeNs = nowMs * 1_000_000;
      editor.putDeep(
          file.path(), new Node.File(file.permissions(), mtimeNs, bytes.length, content));
    }
    return editor.tree();
  }
}
