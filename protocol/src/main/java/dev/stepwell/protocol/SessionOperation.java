package dev.stepwell.protocol;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SessionRequest} asks for; immutable.
 *
 * <p>{@link Fork}, {@link Reset}, {@link PutFiles} and {@link RemoveFiles} change the session's
 * state, and {@link End} ends it; the others only read. A change is made whole or not at all, and
 * all but {@link Fork} count as a step of the session, with a number of their own. Where a session
 * is named that there isn't, all but {@link Fork} and {@link PutFiles} are rejected with {@link
 * ErrorCode#SESSION_UNKNOWN}.
 *
 * <p>A <i>reference</i> names the state that a step left, whichever session it is of: 1 to 512
 * printable ASCII characters, issued by a worker and opaque to all others, usable by any client on
 * any worker for as long as that state is retained.
 */
public sealed interface SessionOperation {
  /** The most entries in one answer. */
  int MAX_ENTRIES = 1000;

  /** The most bytes of a file's content in one answer: 512 KiB. */
  int MAX_CONTENT_BYTES = 512 << 10;

  /** Whether this reads a state by its reference, so that no session need be named. */
  default boolean readsReference() {
    return false;
  }

  /**
   * Makes the session of the request, with the variables and files that a step left. No code runs
   * and nothing is copied. Rejected with {@link ErrorCode#SESSION_EXISTS} if there is such a
   * session, and with {@link ErrorCode#BASE_INVALID}.
   *
   * @param base the reference of the state to start from
   * @param reseed whether the first Python step starts with random streams of its own, rather than
   *     with those of the base, which would give every fork the same random numbers
   */
  record Fork(String base, boolean reseed) implements SessionOperation {
    public Fork {
      requireReference(base);
    }
  }

  /**
   * Asks for the reference of the state after a step, to fork it or to look at it. Answered with
   * {@link SessionAnswer.Located}, rejected with {@link ErrorCode#STEP_UNKNOWN}.
   *
   * @param step the step's number, at least 1; a step that left no state stands for the last one
   *     before it that did, and one that the session has not had yet for none; null for the
   *     session's newest state
   */
  record Locate(@Nullable Long step) implements SessionOperation {
    public Locate {
      Checks.atLeast("operation.step", step, 1);
    }
  }

  /**
   * Asks for the session's steps, newest first, of which those that left no state may be missing.
   * Answered with {@link SessionAnswer.History}.
   *
   * @param limit how many at most, 1 to {@value #MAX_ENTRIES}
   * @param beforeStep only steps below this number, at least 1; null for all
   */
  record History(int limit, @Nullable Long beforeStep) implements SessionOperation {
    public History {
      Checks.between("operation.limit", limit, 1, MAX_ENTRIES);
      Checks.atLeast("operation.beforeStep", beforeStep, 1);
    }
  }

  /** Drops the session's variables and files. It stays a session, and its steps count on. */
  record Reset() implements SessionOperation {}

  /** Ends the session for good and forgets it. Another of the same name has nothing of it. */
  record End() implements SessionOperation {}

  /**
   * Puts files into the session's workspace, in place of what is at their paths, all or none.
   * Rejected with {@link ErrorCode#FILE_REFUSED} where the workspace's caps don't allow it.
   *
   * @param files 1 to {@value #MAX_ENTRIES} files, none in the way of another
   */
  record PutFiles(List<FileInput> files) implements SessionOperation {
    public PutFiles {
      files = List.copyOf(files);
      WorkspacePath.checkFiles("operation.files", files, MAX_ENTRIES);
    }
  }

  /**
   * Asks for a range of a file. Answered with {@link SessionAnswer.Content}, which is shorter than
   * asked for only at the file's end. Rejected with {@link ErrorCode#FILE_NOT_FOUND}, and with
   * {@link ErrorCode#FILE_REFUSED} for what is no regular file: links are not followed.
   *
   * @param path the file's path, as {@link WorkspacePath} describes it
   * @param offset the first byte, at least 0; from the file's end on there are none
   * @param length how many bytes at most, 1 to {@value #MAX_CONTENT_BYTES}
   * @param base the reference of the state to read from; null for the session's newest
   */
  record GetFile(String path, long offset, int length, @Nullable String base)
      implements SessionOperation {
    public GetFile {
      WorkspacePath.check("operation.path", path);
      Checks.atLeast("operation.offset", offset, 0);
      Checks.between("operation.length", length, 1, MAX_CONTENT_BYTES);
      Checks.reference("operation.base", base);
    }

    @Override
    public boolean readsReference() {
      return base != null;
    }
  }

  /**
   * Asks for what is in a workspace, in the order of the paths' bytes as UTF-8. Answered with
   * {@link SessionAnswer.Files}.
   *
   * @param prefix what the paths begin with, such as {@code src/}; at most 4096 bytes; empty for
   *     everything
   * @param after only paths behind this one; null for all
   * @param limit how many at most, 1 to {@value #MAX_ENTRIES}
   * @param base the reference of the state to read from; null for the session's newest
   */
  record ListFiles(String prefix, @Nullable String after, int limit, @Nullable String base)
      implements SessionOperation {
    public ListFiles {
      Objects.requireNonNull(prefix, "prefix");
      WorkspacePath.checkText("operation.prefix", prefix);
      WorkspacePath.checkText("operation.after", after);
      Checks.between("operation.limit", limit, 1, MAX_ENTRIES);
      Checks.reference("operation.base", base);
    }

    @Override
    public boolean readsReference() {
      return base != null;
    }
  }

  /**
   * Removes files, links, and folders with all that is in them; all or none. Rejected with {@link
   * ErrorCode#FILE_NOT_FOUND} where one isn't there.
   *
   * @param paths 1 to {@value #MAX_ENTRIES} paths, as {@link WorkspacePath} describes them
   */
  record RemoveFiles(List<String> paths) implements SessionOperation {
    public RemoveFiles {
      paths = List.copyOf(paths);
      WorkspacePath.checkAll("operation.paths", paths, MAX_ENTRIES);
    }
  }

  private static void requireReference(@Nullable String base) {
    if (base == null) {
      throw Checks.invalid("operation.base", "is missing");
    }
    Checks.reference("operation.base", base);
  }
}
