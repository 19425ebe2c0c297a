package dev.stepwell.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Knows below which offset of each partition of a topic nothing lies that is still of interest;
 * thread-safe. It grows with what is of interest, not with what ever was.
 */
final class Floors {
  /** For each partition how many are of interest that lie at an offset or behind it. */
  private final List<TreeMap<Long, Integer>> held = new ArrayList<>();

  private final long[] reached;

  Floors(List<Long> from) {
    reached = new long[from.size()];
    for (int partition = 0; partition < reached.length; partition++) {
      reached[partition] = from.get(partition);
      held.add(new TreeMap<>());
    }
  }

  /** What comes from now on lies at the offset or behind it. */
  synchronized void reach(int partition, long offset) {
    reached[partition] = Math.max(reached[partition], offset);
  }

  /** Holds whatever comes in a partition from now on; gives the offset to let go of. */
  synchronized long hold(int partition) {
    return hold(partition, reached[partition]);
  }

  synchronized long hold(int partition, long offset) {
    held.get(partition).merge(offset, 1, Integer::sum);
    return offset;
  }

  synchronized void release(int partition, long offset) {
    held.get(partition).computeIfPresent(offset, (key, count) -> count == 1 ? null : count - 1);
  }

  /** For each partition the lowest offset of interest. */
  synchronized List<Long> lowest() {
    List<Long> lowest = new ArrayList<>(reached.length);
    for (int partition = 0; partition < reached.length; partition++) {
      TreeMap<Long, Integer> offsets = held.get(partition);
      lowest.add(offsets.isEmpty() ? reached[partition] : offsets.firstKey());
    }
    return lowest;
  }
}
