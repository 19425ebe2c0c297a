package dev.stepwell.worker.intake;

import dev.stepwell.worker.commit.Lease;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The partitions that are assigned to this worker. Owned by the intake thread. */
final class HeldPartitions {
  private final Map<Integer, HeldPartition> byNumber = new HashMap<>();

  void add(Lease lease) {
    byNumber.put(lease.partition(), new HeldPartition(lease));
  }

  /** Forgets a partition; its lease, or null if it wasn't held. */
  @Nullable Lease remove(int partition) {
    HeldPartition removed = byNumber.remove(partition);
    return removed == null ? null : removed.lease();
  }

  /** The partition under this lease; null when the lease is a past one. */
  @Nullable HeldPartition under(Lease lease) {
    HeldPartition partition = byNumber.get(lease.partition());
    return partition != null && partition.lease().equals(lease) ? partition : null;
  }

  /** The lease of a partition whose records are wanted; null if they are not. */
  @Nullable Lease flowing(int partition) {
    HeldPartition held = byNumber.get(partition);
    return held != null && held.flowing() ? held.lease() : null;
  }

  Set<Integer> flowing() {
    return byNumber.entrySet().stream()
        .filter(entry -> entry.getValue().flowing())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  boolean allFlowing() {
    return byNumber.values().stream().allMatch(HeldPartition::flowing);
  }

  /** Opens partitions anew whose lease ended a while ago though they are still assigned. */
  void reopenDue(long nowMs, IntFunction<Lease> opener) {
    for (Map.Entry<Integer, HeldPartition> entry : byNumber.entrySet()) {
      if (entry.getValue().dueToReopen(nowMs)) {
        entry.setValue(new HeldPartition(opener.apply(entry.getKey())));
      }
    }
  }
}
