package dev.stepwell.worker.workspace;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at trees. */
public final class Trees {
  private Trees() {}

  /** Is shown the entries of a tree. */
  @FunctionalInterface
  public interface Visitor {
    /** One entry; folders come before what is in them. */
    void visit(String path, Node node);
  }

  /**
   * How much a tree holds; immutable.
   *
   * @param entries files, links and folders, the workspace itself not counted
   * @param bytes the sizes of the files
   */
  public record Extent(int entries, long bytes) {}

  /** Shows every entry in the order of paths, folders before what is in them. */
  public static void walk(Node.Folder tree, Visitor visitor) {
    walk("", tree, visitor);
  }

  private static void walk(String prefix, Node.Folder folder, Visitor visitor) {
    // As deep as folders lie, which has its limit.
    for (Map.Entry<String, Node> child : folder.children().entrySet()) {
      String path = prefix + child.getKey();
      visitor.visit(path, child.getValue());
      if (child.getValue() instanceof Node.Folder inner) {
        walk(path + "/", inner, visitor);
      }
    }
  }

  /** What a tree holds. */
  public static Extent extent(Node.Folder tree) {
    int entries = 0;
    long bytes = 0;
    Deque<Node.Folder> folders = new ArrayDeque<>(List.of(tree));
    while (!folders.isEmpty()) {
      for (Node node : folders.pop().children().values()) {
        entries++;
        if (node instanceof Node.File file) {
          bytes += file.bytes();
        } else if (node instanceof Node.Folder folder) {
          folders.push(folder);
        }
      }
    }
    return new Extent(entries, bytes);
  }

  /** The entry at a path; null if there is none. Links are not followed. */
  public static @Nullable Node find(Node.Folder tree, String path) throws RefusedPathException {
    Node at = tree;
    for (String part : TreePath.parts(path)) {
      if (!(at instanceof Node.Folder folder)) {
        return null;
      }
      at = folder.children().get(part);
    }
    return at;
  }
}
