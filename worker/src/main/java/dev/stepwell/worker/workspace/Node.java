package dev.stepwell.worker.workspace;

import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.Stored;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Something in a workspace; immutable. */
public sealed interface Node {
  /** The bits of a mode that are kept: permissions, and nothing that gives rights to others. */
  int MODE_BITS = 0777;

  /**
   * A regular file.
   *
   * @param mode permission bits
   * @param mtimeNs when it was last written, nanoseconds since the epoch
   * @param bytes its size, the sum of its pieces
   * @param content its pieces, all but the last of the largest size
   */
  record File(int mode, long mtimeNs, long bytes, List<Piece> content) implements Node {
    public File {
      mode &= MODE_BITS;
      content = List.copyOf(content);
      long sum = content.stream().mapToLong(Piece::bytes).sum();
      if (sum != bytes) {
        throw new IllegalArgumentException("a file of " + bytes + " bytes has " + sum);
      }
    }
  }

  /**
   * A symbolic link.
   *
   * @param target its text
   */
  record Link(String target) implements Node {}

  /**
   * A folder.
   *
   * @param mode permission bits
   * @param mtimeNs when an entry was last added or removed, nanoseconds since the epoch
   * @param children what is in it, by name
   * @param stored where this folder, as it is, was written down; null if it was not yet
   */
  record Folder(int mode, long mtimeNs, SortedMap<String, Node> children, @Nullable Stored stored)
      implements Node {
    /** A workspace with nothing in it. */
    public static final Folder EMPTY = new Folder(0755, 0, new TreeMap<>(), null);

    public Folder {
      mode &= MODE_BITS;
      children = Collections.unmodifiableSortedMap(children);
    }

    Folder writtenDown(@Nullable Stored where) {
      return new Folder(mode, mtimeNs, children, where);
    }
  }
}
