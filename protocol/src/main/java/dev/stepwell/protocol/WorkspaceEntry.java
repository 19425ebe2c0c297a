package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something in a session's workspace; immutable.
 *
 * @param path where, relative to {@code /workspace}, with slashes
 * @param kind what it is
 * @param mode its permission bits, 0 to 511 (0777); 511 for a link
 * @param bytes the size of a file's content; 0 for anything else
 * @param modifiedNs when it was last changed, in nanoseconds since the epoch, as its sandbox said;
 *     0 for a link
 * @param sha256 of a file's content, 64 hexadecimal digits; null for anything else, and where it is
 *     not known
 * @param target what a link says; null for anything else. Nobody but a sandbox is to follow it
 */
public record WorkspaceEntry(
    String path,
    Kind kind,
    int mode,
    long bytes,
    long modifiedNs,
    @Nullable String sha256,
    @Nullable String target) {
  public WorkspaceEntry {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(kind, "kind");
    Checks.between("mode", mode, 0, FileInput.MAX_MODE);
    Checks.atLeast("bytes", bytes, 0);
    Checks.sha256("sha256", sha256);
  }

  /** What can be in a workspace. Names are part of the wire format. */
  public enum Kind {
    /** A regular file. */
    FILE,
    /** A folder. */
    FOLDER,
    /** A symbolic link. */
    LINK
  }
}
