package dev.stepwell.worker.archive;

import dev.stepwell.worker.archive.StateContents.Item;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.Trees;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells what is in a workspace, but for when it was changed. Stateless. */
final class WorkspaceContents {
  private WorkspaceContents() {}

  static Map<String, Item> of(Node.Folder files) {
    Map<String, Item> found = new LinkedHashMap<>();
    Trees.walk(files, (path, node) -> found.put(path, item(node)));
    return found;
  }

  private static Item item(Node node) {
    if (node instanceof Node.File file) {
      Digest digest = new Digest().add("file").add(file.mode());
      // All but the last piece have one size, so the same content has the same pieces.
      file.content().forEach(piece -> digest.add(piece.id().hex()));
      return new Item(digest.hex(), "file, %d bytes, %04o".formatted(file.bytes(), file.mode()));
    }
    if (node instanceof Node.Link link) {
      return new Item(
          new Digest().add("link").add(link.target()).hex(), "link to " + link.target());
    }
    Node.Folder folder = (Node.Folder) node;
    return new Item(
        new Digest().add("folder").add(folder.mode()).hex(),
        "folder, %04o".formatted(folder.mode()));
  }
}
