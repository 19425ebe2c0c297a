package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that a request asked to have back, or why it can't be had; immutable. One without content
 * and without problem was too large for the result and is in the session's workspace, to be read by
 * {@link SessionOperation.GetFile}.
 *
 * @param path the file's path relative to {@code /workspace}; where nothing was found, the path or
 *     pattern that was asked for
 * @param bytes the size of its content; 0 where it can't be had
 * @param sha256 of its content, 64 hexadecimal digits; null where it is not known
 * @param mode its permission bits, 0 to 511 (0777); 0 where it can't be had
 * @param content what is in it; null where it isn't here
 * @param problem why it can't be had, for programs; null where it can
 * @param reason why it can't be had, for people; null where it can
 */
public record Artifact(
    String path,
    long bytes,
    @Nullable String sha256,
    int mode,
    @Nullable Bytes content,
    @Nullable Problem problem,
    @Nullable String reason) {
  public Artifact {
    Objects.requireNonNull(path, "path");
    Checks.atLeast("bytes", bytes, 0);
    Checks.sha256("sha256", sha256);
    Checks.between("mode", mode, 0, FileInput.MAX_MODE);
    if (problem != null && content != null) {
      throw Checks.invalid("content", "must be absent where there is a problem");
    }
  }

  /**
   * A file that can't be had.
   *
   * @param path the file's path, or what was asked for
   */
  public static Artifact missing(String path, Problem problem, String reason) {
    return new Artifact(
        path,
        0,
        null,
        0,
        null,
        Objects.requireNonNull(problem, "problem"),
        Objects.requireNonNull(reason, "reason"));
  }

  /** Why a file can't be had. Names are part of the wire format. */
  public enum Problem {
    /** Nothing is there. */
    MISSING,
    /** It is a symbolic link, and links are not followed. */
    LINK,
    /** It is a folder. */
    FOLDER,
    /** It is too large for the result, and there is no session to keep it. */
    TOO_LARGE,
    /** The workspace could not keep it: a special file, a name that is no text, beyond a cap. */
    REFUSED,
    /** The step ended in a way that leaves nothing to be read. */
    LOST
  }
}
