package dev.stepwell.worker.commit;

import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/** Makes the committer of a partition that was assigned. Thread-safe. */
public final class Committers implements LaneOpener {
  private final CommitSettings settings;
  private final Semaphore gate;
  private final PartitionRestore restore;
  private final MissingEnds missingEnds;

  /**
   * @param concurrency how many partitions may be committing at once, at least 1
   * @param admin stays the caller's to close, after the last committer
   */
  public Committers(CommitSettings settings, int concurrency, Admin admin) {
    this.settings = settings;
    this.gate = new Semaphore(concurrency, true);
    this.restore =
        new PartitionRestore(settings.kafka(), settings.topics(), settings.codec(), admin);
    this.missingEnds =
        new MissingEnds(admin, settings.kafka(), settings.topics(), settings.codec());
  }

  @Override
  public CommitLane open(Lease lease, ConsumerGroupMetadata group, CommitListener listener) {
    PartitionCommitter committer =
        new PartitionCommitter(
            lease,
            () -> new PartitionProducer(lease.partition(), group, settings, gate, missingEnds),
            restore,
            listener);
    committer.start();
    return committer;
  }
}
