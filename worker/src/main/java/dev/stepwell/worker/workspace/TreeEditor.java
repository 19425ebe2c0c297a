package dev.stepwell.worker.workspace;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes a tree, entry by entry, into a new one. Not thread-safe.
 *
 * <p>Only the folders on the way to a change are made anew; all others stay the objects that they
 * were, with what is known of where they are stored.
 */
public final class TreeEditor {
  private final Draft root;

  /** Starts from a tree, which stays as it is. */
  public TreeEditor(Node.Folder tree) {
    root = new Draft(tree);
  }

  /**
   * Puts a file or link, in place of whatever is there.
   *
   * @throws RefusedPathException if the path is none, or something on the way is no folder
   */
  public void put(String path, Node node) throws RefusedPathException {
    List<String> parts = TreePath.parts(path);
    Draft parent = folder(path, parts.subList(0, parts.size() - 1), false);
    parent.put(parts.get(parts.size() - 1), node);
  }

  /**
   * Puts a file or link, making the folders above it that are missing.
   *
   * @throws RefusedPathException if the path is none, or something on the way is no folder
   */
  public void putDeep(String path, Node node) throws RefusedPathException {
    List<String> parts = TreePath.parts(path);
    Draft parent = folder(path, parts.subList(0, parts.size() - 1), true);
    parent.put(parts.get(parts.size() - 1), node);
  }

  /** Makes a folder, or changes the one that is there; what is in it stays. */
  public void folder(String path, int mode, long mtimeNs) throws RefusedPathException {
    List<String> parts = TreePath.parts(path);
    Draft parent = folder(path, parts.subList(0, parts.size() - 1), false);
    parent.child(parts.get(parts.size() - 1)).become(mode, mtimeNs);
  }

  /** Removes an entry with all that is in it; false if there is none. */
  public boolean remove(String path) throws RefusedPathException {
    List<String> parts = TreePath.parts(path);
    Draft at = root;
    for (String part : parts.subList(0, parts.size() - 1)) {
      Draft next = at.existing(part);
      if (next == null) {
        return false;
      }
      at = next;
    }
    return at.remove(parts.get(parts.size() - 1));
  }

  /** The tree as it is now. */
  public Node.Folder tree() {
    return root.freeze();
  }

  private Draft folder(String path, List<String> parts, boolean make) throws RefusedPathException {
    Draft at = root;
    for (String part : parts) {
      Draft next = at.existing(part);
      if (next == null && (!make || at.holds(part))) {
        throw new RefusedPathException(path, "what it lies in is no folder");
      }
      at = next == null ? at.child(part) : next;
    }
    return at;
  }

  /** A folder that may be changed. It thaws the folders in it only when they are asked for. */
  private static final class Draft {
    private final Node.Folder origin;
    private final Map<String, Draft> thawed = new TreeMap<>();
    private @Nullable SortedMap<String, Node> children;
    private int mode;
    private long mtimeNs;

    Draft(Node.Folder origin) {
      this.origin = origin;
      this.mode = origin.mode();
      this.mtimeNs = origin.mtimeNs();
    }

    /** The folder of that name; null if there is none. */
    @Nullable Draft existing(String name) {
      Draft known = thawed.get(name);
      if (known != null) {
        return known;
      }
      Node node = (children == null ? origin.children() : children).get(name);
      if (!(node instanceof Node.Folder folder)) {
        return null;
      }
      Draft draft = new Draft(folder);
      thawed.put(name, draft);
      return draft;
    }

    boolean holds(String name) {
      return (children == null ? origin.children() : children).containsKey(name);
    }

    /** The folder of that name, in place of whatever else has it. */
    Draft child(String name) {
      Draft known = existing(name);
      if (known != null) {
        return known;
      }
      Draft made = new Draft(Node.Folder.EMPTY);
      changed().put(name, Node.Folder.EMPTY);
      thawed.put(name, made);
      return made;
    }

    void become(int newMode, long newMtimeNs) {
      mode = newMode & Node.MODE_BITS;
      mtimeNs = newMtimeNs;
    }

    void put(String name, Node node) {
      thawed.remove(name);
      changed().put(name, node);
    }

    boolean remove(String name) {
      thawed.remove(name);
      return changed().remove(name) != null;
    }

    private SortedMap<String, Node> changed() {
      if (children == null) {
        children = new TreeMap<>(origin.children());
      }
      return children;
    }

    private boolean isChanged() {
      return children != null
          || mode != origin.mode()
          || mtimeNs != origin.mtimeNs()
          || thawed.values().stream().anyMatch(Draft::isChanged);
    }

    Node.Folder freeze() {
      if (!isChanged()) {
        return origin;
      }
      thawed.forEach(
          (name, draft) -> {
            if (draft.isChanged()) {
              changed().put(name, draft.freeze());
            }
          });
      SortedMap<String, Node> now = children == null ? origin.children() : new TreeMap<>(children);
      return new Node.Folder(mode, mtimeNs, now, null);
    }
  }
}
