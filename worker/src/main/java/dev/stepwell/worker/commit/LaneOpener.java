package dev.stepwell.worker.commit;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/** Opens leases. Thread-safe. */
public interface LaneOpener {
  /**
   * Starts to open a partition; returns at once, and the listener hears when it is open or that it
   * can't be.
   *
   * @param group the group's metadata as it was when the partition was assigned
   */
  CommitLane open(Lease lease, ConsumerGroupMetadata group, CommitListener listener);
}
