package dev.stepwell.worker.commit;

import java.util.List;

/**
 * Told what became of a lease. Called on the lease's commit thread; implementations only pass the
 * word on to a thread of their own and never block.
 */
public interface CommitListener {
  /** The earlier owner is fenced and its work read back: records may flow from the position. */
  void opened(Lease lease, OpenedPartition opened);

  /**
   * A transaction was committed.
   *
   * @param answers what it carried, with the heads as they were written
   * @param position the offset that was committed: everything below is finished
   */
  void committed(Lease lease, List<Answer> answers, long position);

  /** Requests up to this offset may be started. */
  void startable(Lease lease, long upTo);

  /**
   * The start of a request that an earlier owner may have started is on record.
   *
   * @param attempt the number of this attempt, at least 2
   */
  void startRecorded(Lease lease, long offset, int attempt);

  /**
   * The lease is over, not by {@link CommitLane#close}. What it had not committed counts as never
   * done.
   *
   * @param fenced true when another worker has the partition; false when the outcome of a
   *     transaction is unknown or the partition could not be opened, and it should be opened again
   */
  void ended(Lease lease, boolean fenced, String reason);
}
