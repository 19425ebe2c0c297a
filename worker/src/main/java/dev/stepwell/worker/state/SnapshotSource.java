package dev.stepwell.worker.state;

import dev.stepwell.protocol.SnapshotReference;

/** Where snapshots are read from. Thread-safe. */
public interface SnapshotSource {
  /**
   * Reads a snapshot; blocks.
   *
   * @param partition the partition of the session
   * @return its bytes, whose hash is the reference's id; not to be written to
   * @throws SnapshotException if it can't be read, or is not what was committed
   * @throws InterruptedException if the thread was interrupted
   */
  byte[] read(int partition, SnapshotReference reference)
      throws SnapshotException, InterruptedException;
}
