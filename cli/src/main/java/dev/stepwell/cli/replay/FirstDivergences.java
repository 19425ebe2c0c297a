package dev.stepwell.cli.replay;

import dev.stepwell.cli.run.IdSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The first step at which each session differs, for as many sessions as fit: those that differ
 * first in the log. What comes out doesn't depend on the order of what was added. Owned by one
 * thread.
 */
final class FirstDivergences {
  private final int limit;
  private final Map<String, Finding> byGroup = new HashMap<>();
  private final TreeMap<Long, Finding> byOrdinal = new TreeMap<>();
  private final IdSet groups = new IdSet();

  FirstDivergences(int limit) {
    this.limit = limit;
  }

  void add(Finding finding) {
    groups.add(finding.group());
    Finding known = byGroup.get(finding.group());
    if (known != null && known.ordinal() <= finding.ordinal()) {
      return;
    }
    if (known != null) {
      byOrdinal.remove(known.ordinal());
    }
    Finding brief = finding.brief();
    byGroup.put(finding.group(), brief);
    byOrdinal.put(finding.ordinal(), brief);
    if (byOrdinal.size() > limit) {
      byGroup.remove(byOrdinal.pollLastEntry().getValue().group());
    }
  }

  /** How many sessions and one-shots differ, kept or not. */
  long count() {
    return groups.size();
  }

  List<Finding> list() {
    return new ArrayList<>(byOrdinal.values());
  }
}
