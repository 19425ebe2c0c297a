package dev.stepwell.cli.replay;

import dev.stepwell.cli.run.IdSet;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What earlier processes of a replay have got done. Filled by one thread before the replay begins,
 * and only read from then on.
 */
final class Progressed {
  private static final int MAX_REFERENCES = 100_000;

  /** Which requests are done with, by their ordinals. */
  final BitSet ordinals = new BitSet();

  /** The ids of those in the replay; of a copy {@code ID COPY}. */
  final IdSet ids = new IdSet();

  /** Sessions that were begun from a recorded snapshot. */
  final IdSet started = new IdSet();

  /** Sessions that are left out, and why. */
  final Map<String, String> skipped = new HashMap<>();

  /** What recorded references are called here. */
  final Map<String, String> references = new LinkedHashMap<>();

  void add(Finding finding, String replayId) {
    ordinals.set(Math.toIntExact(finding.ordinal()));
    ids.add(finding.copy() == 0 ? replayId : replayId + " " + finding.copy());
    if (finding.verdict() == Verdict.SKIPPED && finding.session() != null) {
      String reason = finding.reason();
      if (reason != null && reason.startsWith(Origins.WHOLE_SESSION)) {
        skipped.put(finding.session(), reason);
      }
    }
    String recorded = finding.recordedReference();
    String now = finding.replayedReference();
    if (recorded != null && now != null && references.size() < MAX_REFERENCES) {
      references.put(recorded, now);
    }
  }
}
