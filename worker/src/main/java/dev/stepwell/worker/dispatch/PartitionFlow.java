package dev.stepwell.worker.dispatch;

import dev.stepwell.worker.commit.Lease;

/**
 * What the dispatcher tells whoever reads the request topic. Called on the dispatch thread;
 * implementations pass the word on and never block.
 */
public interface PartitionFlow {
  /** The partition is open: its records are wanted, from this offset on. */
  void open(Lease lease, long position);

  /** The partition's window of unfinished requests is full: no more records for now. */
  void hold(Lease lease);

  /** The window has room again. */
  void release(Lease lease);

  /** Requests were answered, so that permits may be had again. */
  void roomMade();

  /**
   * The lease is over.
   *
   * @param fenced true when another worker has the partition; false to open it again under a new
   *     lease, if it is still assigned
   */
  void ended(Lease lease, boolean fenced);
}
