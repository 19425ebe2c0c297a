package dev.stepwell.worker.config;

import java.util.Collection;
import java.util.Comparator;

/** Finds the name that somebody may have meant. Stateless. */
final class Nearest {
  /** No name in any table is longer; what is would cost time that grows with its length. */
  private static final int MAX_COMPARED = 100;

  private Nearest() {}

  /** The candidate with the least edit distance; {@code candidates} must not be empty. */
  static String to(String name, Collection<String> candidates) {
    String compared = name.substring(0, Math.min(name.length(), MAX_COMPARED));
    return candidates.stream()
        .min(Comparator.comparingInt(each -> distance(compared, each)))
        .orElseThrow();
  }

  /** Insertions, deletions and replacements that turn one into the other. */
  static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return above[to.length()];
  }
}
