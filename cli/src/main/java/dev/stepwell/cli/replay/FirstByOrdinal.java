package dev.stepwell.cli.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Keeps the findings with the lowest ordinals, as many as fit, in whatever order they come; owned
 * by one thread.
 */
final class FirstByOrdinal {
  private final int limit;
  private final TreeMap<Long, Finding> findings = new TreeMap<>();

  FirstByOrdinal(int limit) {
    this.limit = limit;
  }

  /** Gives whether it is among them by now. */
  boolean add(Finding finding) {
    findings.put(finding.ordinal(), finding);
    return findings.size() <= limit
        || findings.pollLastEntry().getValue().ordinal() != finding.ordinal();
  }

  List<Finding> list() {
    return new ArrayList<>(findings.values());
  }
}
