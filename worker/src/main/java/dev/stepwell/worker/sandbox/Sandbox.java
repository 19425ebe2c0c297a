package dev.stepwell.worker.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One started, single-use sandbox.
 *
 * <p>One thread at a time may read {@link #output()} and one may write {@link #input()}; {@link
 * #destroy()} may be called from any thread at any time and makes both fail or end.
 */
public interface Sandbox {
  /** The sandbox's working folder: writable, empty at first, gone with the sandbox. */
  String WORKSPACE = "/workspace";

  /**
   * Where a sandbox sees the folders that its profile mounts, each by its alias; absent for none.
   */
  String DATA = "/data";

  /**
   * Where a sandbox with a {@link #pieceFolder()} sees that folder, read-only. In it lies an empty
   * file {@link #PIECES_MARK}.
   */
  String PIECES = "/run/stepwell";

  /** Tells from inside that there is such a folder. */
  String PIECES_MARK = "here";

  /** A name that no other sandbox of any worker ever has; 1 to 63 characters of {@code a-z0-9-}. */
  String id();

  /** What the first process writes to its standard output. Ends when the sandbox does. */
  InputStream output();

  /** The first process's standard input. Writes are passed on by {@link OutputStream#flush()}. */
  OutputStream input();

  /**
   * A folder of this machine that the sandbox alone sees, read-only, as {@link #PIECES}. Files that
   * are linked into it appear inside; it goes with the sandbox. Null where the sandbox is not on
   * this machine.
   */
  default @Nullable Path pieceFolder() {
    return null;
  }

  /**
   * What the sandbox has used so far, measured outside it; never fails: what can't be told is
   * absent. After {@link #destroy()} it is what was known then.
   */
  SandboxUsage usage();

  /**
   * What the sandbox's own machinery and its first process wrote to standard error, at most the
   * last 4 KiB of what has been taken in; empty for none. It explains why a sandbox died.
   *
   * <p>Standard error is no channel: a first process that writes more than 64 KiB to it may wait
   * until this is called, or until the sandbox is destroyed.
   */
  String diagnostics();

  /**
   * Ends every process in the sandbox and removes it. Blocks until it is gone. Idempotent. What
   * can't be removed is logged and left to {@link SandboxBackend#reap()}.
   */
  void destroy();
}
