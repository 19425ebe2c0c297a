package dev.stepwell.worker.intake;

import dev.stepwell.worker.commit.Lease;

/**
 * A partition that is assigned to this worker. Owned by the intake thread.
 *
 * <pre>
 *   OPENING --open--> FLOWING --hold--> HELD --release--> FLOWING
 *      any --ended--> ENDED, until it is opened anew under another lease
 * </pre>
 */
final class HeldPartition {
  /** What may be done with the partition's records. */
  enum Stage {
    /** Its past is being read back. */
    OPENING,
    /** Its records are wanted. */
    FLOWING,
    /** It has too many unfinished requests. */
    HELD,
    /** Its lease is over while it is still assigned. */
    ENDED
  }

  private final Lease lease;
  private Stage stage = Stage.OPENING;
  private long reopenAtMs;

  HeldPartition(Lease lease) {
    this.lease = lease;
  }

  Lease lease() {
    return lease;
  }

  boolean flowing() {
    return stage == Stage.FLOWING;
  }

  void move(Stage from, Stage to) {
    if (stage == from) {
      stage = to;
    } else if (stage != Stage.ENDED) {
      throw new IllegalStateException(lease + " can't go from " + stage + " to " + to);
    }
  }

  void end(long reopenAtMs) {
    stage = Stage.ENDED;
    this.reopenAtMs = reopenAtMs;
  }

  boolean dueToReopen(long nowMs) {
    return stage == Stage.ENDED && nowMs >= reopenAtMs;
  }
}
