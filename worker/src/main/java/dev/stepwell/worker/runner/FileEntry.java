package dev.stepwell.worker.runner;

import java.util.List;

/** One entry of a workspace, or one change of it; immutable. */
public sealed interface FileEntry {
  /**
   * Where it is, relative to the workspace: parts separated by {@code /}, none of them empty,
   * {@code .} or {@code ..}.
   */
  String path();

  /** A folder. */
  record Folder(String path, int mode, long mtimeNs) implements FileEntry {}

  /**
   * A regular file.
   *
   * @param mode the permission bits, at most 0777
   * @param pieces its content. On the way into a sandbox: places in the table of the files' pieces;
   *     on the way out: how many uploads came before each, from 0 over the whole step
   */
  record Plain(String path, int mode, long mtimeNs, long bytes, List<Integer> pieces)
      implements FileEntry {
    public Plain {
      pieces = List.copyOf(pieces);
    }
  }

  /**
   * A symbolic link.
   *
   * @param target its text, never followed outside the sandbox
   */
  record Link(String path, String target) implements FileEntry {}

  /** Something that was there before and is not there now, with all that is in it. */
  record Removed(String path) implements FileEntry {}

  /**
   * Something that can't be kept.
   *
   * @param type what it is, such as {@code socket}
   * @param reason why
   */
  record Refused(String path, String type, String reason) implements FileEntry {}
}
