package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file to be put into a workspace; immutable. Folders on the way to it come to be by themselves,
 * what else is at its path goes. The request that carries it checks it.
 *
 * @param path where, relative to {@code /workspace}: see {@link WorkspacePath}, and at most {@value
 *     WorkspacePath#MAX_PARTS} parts
 * @param content what is in it; any size, including none, that fits into the message
 * @param mode its permission bits, 0 to 511 (0777); null for 420 (0644)
 */
public record FileInput(String path, Bytes content, @Nullable Integer mode) {
  /** The permission bits of a file that says nothing about them: read and write for its owner. */
  public static final int DEFAULT_MODE = 0644;

  static final int MAX_MODE = 0777;

  public FileInput {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(content, "content");
  }

  /** Its permission bits, whether or not they were said. */
  public int permissions() {
    return mode == null ? DEFAULT_MODE : mode;
  }
}
