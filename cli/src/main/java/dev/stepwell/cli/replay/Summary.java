package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.Difference;
import dev.stepwell.cli.report.LogHistogram;
import dev.stepwell.cli.report.SliceCollector;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a replay has found so far, in bounded memory. It is the same whatever the order of the
 * findings, and whether they come from this process or from a journal. Guarded by its owner.
 */
final class Summary {
  /** How many differing requests are kept with their texts. */
  static final int MAX_ROWS = 2_000;

  /** For how many sessions the first difference is kept. */
  static final int MAX_DIVERGENCES = 10_000;

  private static final int MAX_NAMED = 100;

  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
  private final Map<Difference.Type, Long> types = new EnumMap<>(Difference.Type.class);
  private final FirstByOrdinal rows = new FirstByOrdinal(MAX_ROWS);
  private final FirstDivergences divergences = new FirstDivergences(MAX_DIVERGENCES);
  private final Map<Verdict, FirstByOrdinal> named = new EnumMap<>(Verdict.class);
  private final Map<Verdict, Map<String, Long>> reasons = new EnumMap<>(Verdict.class);
  private final Map<String, Long> withheld = new TreeMap<>();
  private final TimingTable timings = new TimingTable();
  private final SliceCollector slices;

  Summary(long startedAtMs) {
    slices = new SliceCollector(startedAtMs);
  }

  /** Adds what came of a request; gives whether its texts are of interest by now. */
  boolean add(Finding finding) {
    counts.merge(finding.verdict(), 1L, Long::sum);
    finding.types().forEach(type -> types.merge(type, 1L, Long::sum));
    count(withheld, finding.withheld());
    CaseTimings spent = finding.timings();
    if (spent != null) {
      timings.add(spent);
      slices.add(spent.answeredAtMs(), spent.replayed().totalMs(), spent.replayed().queuedMs());
    }
    return switch (finding.verdict()) {
      case SAME, COPY -> false;
      case DIFFERENT -> {
        divergences.add(finding);
        yield rows.add(finding);
      }
      case NOT_COMPARED, COULD_NOT_RUN, SKIPPED, UNREADABLE -> {
        name(finding);
        yield false;
      }
    };
  }

  private void name(Finding finding) {
    String reason = finding.reason() == null ? "no reason given" : finding.reason();
    if (finding.verdict() != Verdict.UNREADABLE) {
      count(reasons.computeIfAbsent(finding.verdict(), key -> new TreeMap<>()), List.of(reason));
    }
    named
        .computeIfAbsent(finding.verdict(), key -> new FirstByOrdinal(MAX_NAMED))
        .add(finding.brief());
  }

  private static void count(Map<String, Long> counts, List<String> names) {
    for (String name : names) {
      if (counts.containsKey(name) || counts.size() < MAX_NAMED) {
        counts.merge(name, 1L, Long::sum);
      }
    }
  }

  long count(Verdict verdict) {
    return counts.getOrDefault(verdict, 0L);
  }

  /** How often each type of difference came, requests counted. */
  Map<Difference.Type, Long> types() {
    return types;
  }

  /** The first requests that differ, with their differences. */
  List<Finding> rows() {
    return rows.list();
  }

  /** The first step at which each session differs. */
  FirstDivergences divergences() {
    return divergences;
  }

  /** Why requests had a verdict, and how many. */
  Map<String, Long> reasons(Verdict verdict) {
    return reasons.getOrDefault(verdict, Map.of());
  }

  /** The first requests of a verdict. */
  List<Finding> named(Verdict verdict) {
    FirstByOrdinal found = named.get(verdict);
    return found == null ? List.of() : found.list();
  }

  /** Variables that were neither in the log nor given, and for how many requests. */
  Map<String, Long> withheld() {
    return withheld;
  }

  TimingTable timings() {
    return timings;
  }

  SliceCollector slices() {
    return slices;
  }

  /** Then and now, side by side; owned by whoever owns the summary. */
  static final class TimingTable {
    final LogHistogram recordedQueued = new LogHistogram();
    final LogHistogram recordedRan = new LogHistogram();
    final LogHistogram recordedTotal = new LogHistogram();
    final LogHistogram replayedQueued = new LogHistogram();
    final LogHistogram replayedRan = new LogHistogram();
    final LogHistogram replayedTotal = new LogHistogram();

    void add(CaseTimings spent) {
      CaseTimings.Spent recorded = spent.recorded();
      if (recorded == null) {
        // Side by side only what has both sides.
        return;
      }
      recordedQueued.add(recorded.queuedMs());
      recordedRan.add(recorded.ranMs());
      recordedTotal.add(recorded.totalMs());
      replayedQueued.add(spent.replayed().queuedMs());
      replayedRan.add(spent.replayed().ranMs());
      replayedTotal.add(spent.replayed().totalMs());
    }
  }
}
