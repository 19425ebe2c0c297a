package dev.stepwell.cli.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Finds the fewest lines in which two texts differ, by Myers' algorithm; where that would be too
 * many, one block from the first to the last. Stateless.
 */
final class LineDiff {
  /** How many lines may be on one side only before the search ends: its memory is the square. */
  static final int MAX_EDITS = 200;

  private LineDiff() {}

  /**
   * Lines that differ, together; immutable. Counted from 0, the ends excluded.
   *
   * @param recordedFrom the first line of the recorded text
   * @param recordedTo the one after the last
   * @param replayedFrom the first line of the replayed text
   * @param replayedTo the one after the last
   */
  record Block(int recordedFrom, int recordedTo, int replayedFrom, int replayedTo) {}

  /** Where two texts differ, in their order. */
  static List<Block> of(List<String> recorded, List<String> replayed) {
    int start = 0;
    int shorter = Math.min(recorded.size(), replayed.size());
    while (start < shorter && recorded.get(start).equals(replayed.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && recorded
            .get(recorded.size() - 1 - end)
            .equals(replayed.get(replayed.size() - 1 - end))) {
      end++;
    }
    List<String> one = recorded.subList(start, recorded.size() - end);
    List<String> other = replayed.subList(start, replayed.size() - end);
    if (one.isEmpty() && other.isEmpty()) {
      return List.of();
    }
    List<int[]> trace = search(one, other);
    if (trace.isEmpty()) {
      return List.of(new Block(start, start + one.size(), start, start + other.size()));
    }
    return blocks(trace, one.size(), other.size(), start);
  }

  /**
   * For each number of edits how far they get on each diagonal, which is the position in the first
   * text minus that in the second; none if it takes too many.
   */
  private static List<int[]> search(List<String> one, List<String> other) {
    int most = Math.min(MAX_EDITS, one.size() + other.size());
    int[] reach = new int[2 * most + 3];
    int middle = most + 1;
    List<int[]> trace = new ArrayList<>();
    for (int edits = 0; edits <= most; edits++) {
      for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
        boolean down = insertion(reach, middle, diagonal, edits);
        int x = down ? reach[middle + diagonal + 1] : reach[middle + diagonal - 1] + 1;
        int y = x - diagonal;
        while (x < one.size() && y >= 0 && y < other.size() && one.get(x).equals(other.get(y))) {
          x++;
          y++;
        }
        reach[middle + diagonal] = x;
        if (x >= one.size() && y >= other.size()) {
          trace.add(reach.clone());
          return trace;
        }
      }
      trace.add(reach.clone());
    }
    return List.of();
  }

  private static boolean insertion(int[] reach, int middle, int diagonal, int edits) {
    return diagonal == -edits
        || (diagonal != edits && reach[middle + diagonal - 1] < reach[middle + diagonal + 1]);
  }

  /** Goes back from the end, and joins edits that touch. */
  private static List<Block> blocks(List<int[]> trace, int oneSize, int otherSize, int start) {
    int middle = (trace.get(0).length - 1) / 2;
    List<Block> backwards = new ArrayList<>();
    int x = oneSize;
    int y = otherSize;
    for (int edits = trace.size() - 1; edits > 0; edits--) {
      int[] reach = trace.get(edits - 1);
      int diagonal = x - y;
      boolean down = insertion(reach, middle, diagonal, edits);
      int before = down ? diagonal + 1 : diagonal - 1;
      int fromX = reach[middle + before];
      int fromY = fromX - before;
      int toX = down ? fromX : fromX + 1;
      int toY = down ? fromY + 1 : fromY;
      Block last = backwards.isEmpty() ? null : backwards.get(backwards.size() - 1);
      if (last != null
          && last.recordedFrom() == start + toX
          && last.replayedFrom() == start + toY) {
        backwards.set(
            backwards.size() - 1,
            new Block(start + fromX, last.recordedTo(), start + fromY, last.replayedTo()));
      } else {
        backwards.add(new Block(start + fromX, start + toX, start + fromY, start + toY));
      }
      x = fromX;
      y = fromY;
    }
    Collections.reverse(backwards);
    return backwards;
  }

  /** How many characters two texts have in common at their start. */
  static int commonPrefix(String one, String other) {
    int shorter = Math.min(one.length(), other.length());
    int at = 0;
    while (at < shorter && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    return at;
  }
}
