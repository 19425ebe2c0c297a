package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import java.util.Map;
import java.util.Set;

/**
 * What an earlier owner of a partition left, read back after it was fenced; immutable.
 *
 * @param position the offset to go on from
 * @param heads the heads of all sessions of the partition
 * @param finished offsets at or above the position that have been answered already
 * @param suspectUpTo requests from the position to this offset may have been started by an earlier
 *     owner; below the position for none
 */
public record OpenedPartition(
    long position, Map<String, Head> heads, Set<Long> finished, long suspectUpTo) {
  public OpenedPartition {
    heads = Map.copyOf(heads);
    finished = Set.copyOf(finished);
  }
}
