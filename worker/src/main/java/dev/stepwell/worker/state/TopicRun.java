package dev.stepwell.worker.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pieces whose records follow one another in one partition, so that they are read in one go;
 * immutable.
 *
 * @param partition the partition
 * @param first the offset of the first record
 * @param end the offset after the last one
 * @param pieces the pieces, by their first records
 */
record TopicRun(int partition, long first, long end, List<PieceAssembly> pieces) {
  /** How many records nobody asked for are read rather than skipped: markers take offsets too. */
  private static final int GAP = 2;

  private static final Comparator<PieceAssembly> BY_OFFSET =
      Comparator.comparingLong(each -> each.location().offset());

  /** How many bytes it holds at least. */
  long bytes() {
    return pieces.stream().mapToLong(each -> each.piece().bytes()).sum();
  }

  /**
   * Finds the fewest runs.
   *
   * @param pieces different pieces that are all in the topic
   */
  static List<TopicRun> of(List<Piece> pieces) {
    Map<Integer, List<PieceAssembly>> byPartition = new TreeMap<>();
    for (Piece piece : pieces) {
      PieceAssembly assembly = new PieceAssembly(piece);
      byPartition
          .computeIfAbsent(assembly.location().partition(), any -> new ArrayList<>())
          .add(assembly);
    }
    List<TopicRun> runs = new ArrayList<>();
    byPartition.forEach(
        (partition, assemblies) -> {
          assemblies.sort(BY_OFFSET);
          runs.addAll(runs(partition, assemblies));
        });
    return runs;
  }

  private static List<TopicRun> runs(int partition, List<PieceAssembly> sorted) {
    List<TopicRun> runs = new ArrayList<>();
    int from = 0;
    long end = sorted.get(0).end();
    for (int i = 1; i <= sorted.size(); i++) {
      if (i == sorted.size() || sorted.get(i).location().offset() > end + GAP) {
        List<PieceAssembly> run = List.copyOf(sorted.subList(from, i));
        runs.add(new TopicRun(partition, run.get(0).location().offset(), end, run));
        from = i;
      }
      if (i < sorted.size()) {
        end = i == from ? sorted.get(i).end() : Math.max(end, sorted.get(i).end());
      }
    }
    return runs;
  }
}
