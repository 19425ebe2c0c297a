package dev.stepwell.worker.state;

import java.nio.file.Path;
import java.util.List;

/**
 * The pieces that this worker can get: from its cache, or else from where they are durable, into
 * the cache. Thread-safe.
 */
public interface Pieces {
  /**
   * Makes pieces readable in a folder of the same file system, by hard links, without copying what
   * is in the cache. Blocks while what is not there is fetched.
   *
   * @param folder the sandbox's own folder; a file linked into it before is not linked again
   * @return where each piece lies, in the order asked
   * @throws SnapshotException if a piece can't be had, or is not what was committed
   */
  List<Placement> place(List<Piece> pieces, Path folder)
      throws SnapshotException, InterruptedException;

  /**
   * Reads a piece. Blocks while it is fetched.
   *
   * @throws SnapshotException if it can't be had, or is not what was committed
   */
  byte[] read(Piece piece) throws SnapshotException, InterruptedException;

  /** Begins to take in what one step uploads; the caller closes it. */
  NewPieces take();
}
