package dev.stepwell.worker.commit;

/**
 * One tenure of one partition by this worker; immutable. A partition that is lost and taken again,
 * or reopened after a commit of unknown outcome, gets a new lease, so that nothing of the old
 * tenure is mistaken for the new one's.
 *
 * @param partition the partition's number, the same in all topics
 * @param generation counts the leases of this worker
 */
public record Lease(int partition, long generation) {
  @Override
  public String toString() {
    return partition + "#" + generation;
  }
}
