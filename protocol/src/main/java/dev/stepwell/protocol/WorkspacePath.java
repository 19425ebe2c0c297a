package dev.stepwell.protocol;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for paths of workspace files. A path is relative to {@code /workspace}, with a slash
 * between its parts, none of which is empty, {@code .} or {@code ..}; it has at most {@value
 * #MAX_BYTES} bytes as UTF-8, and each part at most {@value #MAX_PART_BYTES}; it is valid Unicode
 * without NUL.
 */
public final class WorkspacePath {
  /** The most bytes of UTF-8 that a path may have. */
  public static final int MAX_BYTES = 4096;

  /** The most bytes of UTF-8 that one part of a path may have. */
  public static final int MAX_PART_BYTES = 255;

  /** The most parts of a path that a file may be put at: how deep sandboxes nest folders. */
  public static final int MAX_PARTS = 64;

  private WorkspacePath() {}

  /**
   * Accepts a path that keeps the rules.
   *
   * @param field what an exception names as the field at fault
   * @throws InvalidMessageException with {@link ErrorCode#INVALID_FIELD}, saying which rule
   */
  public static void check(String field, @Nullable String path) {
    String problem = path == null ? "is missing" : problem(path);
    if (problem != null) {
      throw Checks.invalid(field, problem);
    }
  }

  /**
   * Accepts text that paths may begin with, or be compared to: the empty text too, and one that
   * ends within a part.
   */
  static void checkText(String field, @Nullable String text) {
    if (text == null) {
      return;
    }
    Checks.text(field, text);
    Checks.noNul(field, text);
    if (utf8Bytes(text) > MAX_BYTES) {
      throw Checks.invalid(field, "has more than " + MAX_BYTES + " bytes");
    }
  }

  /** Accepts paths that keep the rules, of which at least one and at most {@code most}. */
  static void checkAll(String field, List<String> paths, int most) {
    Checks.count(field, paths.size(), most);
    for (int i = 0; i < paths.size(); i++) {
      check(field + "[" + i + "]", paths.get(i));
    }
  }

  /** Accepts files of which none is in the way of another. */
  static void checkFiles(String field, List<FileInput> files, int most) {
    Checks.count(field, files.size(), most);
    Set<String> paths = new HashSet<>();
    Set<String> folders = new HashSet<>();
    for (int i = 0; i < files.size(); i++) {
      FileInput file = files.get(i);
      String element = field + "[" + i + "]";
      check(element + ".path", file.path());
      addFolders(element + ".path", file.path(), folders);
      if (!paths.add(file.path())) {
        throw Checks.invalid(element + ".path", "is the path of an earlier file too");
      }
      if (file.permissions() < 0 || file.permissions() > FileInput.MAX_MODE) {
        throw Checks.invalid(
            element + ".mode", "is " + file.mode() + ", must be 0 to " + FileInput.MAX_MODE);
      }
    }
    for (int i = 0; i < files.size(); i++) {
      if (folders.contains(files.get(i).path())) {
        throw Checks.invalid(
            field + "[" + i + "].path", "is a folder on the way to another of these files");
      }
    }
  }

  private static void addFolders(String field, String path, Set<String> folders) {
    int parts = 1;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      folders.add(path.substring(0, slash));
      parts++;
    }
    if (parts > MAX_PARTS) {
      throw Checks.invalid(field, "has " + parts + " parts, more than " + MAX_PARTS);
    }
  }

  private static @Nullable String problem(String path) {
    if (path.isEmpty()) {
      return "is empty";
    }
    if (path.indexOf('\0') >= 0) {
      return "holds a NUL character, which no path can";
    }
    if (Checks.firstBrokenSurrogate(path) >= 0) {
      return "holds half a surrogate pair, so it is no UTF-8";
    }
    if (utf8Bytes(path) > MAX_BYTES) {
      return "has more than " + MAX_BYTES + " bytes";
    }
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return "has the part '%s': it must be relative to the workspace, with no empty part, '.' or"
                .formatted(part)
            + " '..'";
      }
      if (utf8Bytes(part) > MAX_PART_BYTES) {
        return "has a part of more than " + MAX_PART_BYTES + " bytes";
      }
    }
    return null;
  }

  private static int utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
