package dev.stepwell.cli.eval;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many samples tasks have; immutable.
 *
 * @param least the fewest of any task
 * @param most the most of any task
 */
public record SampleCounts(int least, int most) {
  /** Of these tasks, at least one. */
  public static SampleCounts of(List<Task> tasks) {
    Map<String, Integer> byGroup = new HashMap<>();
    for (Task task : tasks) {
      byGroup.merge(task.group(), task.candidates().size(), Integer::sum);
    }
    return new SampleCounts(
        byGroup.values().stream().mapToInt(n -> n).min().orElse(0),
        byGroup.values().stream().mapToInt(n -> n).max().orElse(0));
  }

  /** For which numbers to tell pass@k where nobody says: those that every task has enough for. */
  public List<Integer> usual() {
    return PassAtK.usual(least);
  }
}
