package dev.stepwell.worker.intake;

import dev.stepwell.worker.commit.CommitLane;
import dev.stepwell.worker.commit.Lease;
import dev.stepwell.worker.dispatch.Dispatcher;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Gives leases up. Immutable; blocks its caller, the intake thread, for a bounded time. */
final class HandOver {
  /** How long the last transactions of the partitions that are given up may take together. */
  static final long TIMEOUT_MS = 5_000;

  private final Dispatcher dispatcher;
  private final Clock clock;

  HandOver(Dispatcher dispatcher, Clock clock) {
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  /**
   * Ends what runs under the leases and closes their lanes.
   *
   * @param orderly whether the partitions are still this worker's, so that the last answers can be
   *     committed
   */
  void giveUp(Collection<Lease> leases, boolean orderly) {
    // All are revoked before the first is waited for, so that they end side by side.
    List<CompletableFuture<@Nullable CommitLane>> revoked =
        leases.stream().map(dispatcher::revoke).toList();
    long byMs = clock.millis() + TIMEOUT_MS;
    for (CompletableFuture<@Nullable CommitLane> each : revoked) {
      close(each, orderly, byMs);
    }
  }

  private void close(CompletableFuture<@Nullable CommitLane> revoked, boolean orderly, long byMs) {
    try {
      CommitLane lane = revoked.get(leftMs(byMs), TimeUnit.MILLISECONDS);
      if (lane != null) {
        lane.close(orderly, leftMs(byMs));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new KafkaException("a partition could not be given up in time", e);
    }
  }

  private long leftMs(long byMs) {
    return Math.max(1, byMs - clock.millis());
  }
}
