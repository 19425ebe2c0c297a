package dev.stepwell.worker.workspace;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Checks the paths of a workspace, which come from clients and from hostile code. */
public final class TreePath {
  /** The most bytes of a path in UTF-8. */
  public static final int MAX_BYTES = 4096;

  /** The most bytes of one part of it. */
  public static final int MAX_PART_BYTES = 255;

  /** How deep folders may lie in one another. */
  public static final int MAX_DEPTH = 64;

  private TreePath() {}

  /**
   * Splits a path.
   *
   * @throws RefusedPathException if it is none that a workspace can have
   */
  public static List<String> parts(String path) throws RefusedPathException {
    if (path.isEmpty() || bytes(path) > MAX_BYTES) {
      throw new RefusedPathException(path, "its path must have 1 to " + MAX_BYTES + " bytes");
    }
    if (path.indexOf('\0') >= 0 || path.indexOf('\uFFFD') >= 0) {
      throw new RefusedPathException(path, "its name is not valid UTF-8 text");
    }
    List<String> parts = List.of(path.split("/", -1));
    if (parts.size() > MAX_DEPTH) {
      throw new RefusedPathException(path, "it lies deeper than " + MAX_DEPTH + " folders");
    }
    for (String part : parts) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new RefusedPathException(path, "it must lie in /workspace, named without . and ..");
      }
      if (bytes(part) > MAX_PART_BYTES) {
        throw new RefusedPathException(
            path, "a part of its path has more than " + MAX_PART_BYTES + " bytes");
      }
    }
    return parts;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
