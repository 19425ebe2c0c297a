package dev.stepwell.cli.eval;

import dev.stepwell.cli.report.ReportData;
import dev.stepwell.cli.report.SliceCollector;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Latency and queueing of what ran, over time. */
final class Latencies {
  private Latencies() {}

  /** One figure of all samples that ran. */
  static double[] of(List<SampleVerdict> all, ToDoubleFunction<SampleVerdict.Figures> figure) {
    return all.stream()
        .map(SampleVerdict::figures)
        .filter(Latencies::ran)
        .mapToDouble(figure)
        .toArray();
  }

  /** When the first began, in milliseconds since the epoch; 0 where nothing ran. */
  static long startedAtMs(List<SampleVerdict> all) {
    return all.stream()
        .map(SampleVerdict::figures)
        .filter(Latencies::ran)
        .mapToLong(SampleVerdict.Figures::startedAtMs)
        .min()
        .orElse(0);
  }

  /** Slices of the time from the first request to the last answer. */
  static List<ReportData.Slice> slices(List<SampleVerdict> all) {
    SliceCollector slices = new SliceCollector(startedAtMs(all));
    for (SampleVerdict each : all) {
      SampleVerdict.Figures figures = each.figures();
      if (ran(figures)) {
        slices.add(figures.endedAtMs(), figures.latencyMs(), figures.queuedMs());
      }
    }
    return slices.slices();
  }

  private static boolean ran(SampleVerdict.Figures figures) {
    return figures.startedAtMs() > 0;
  }
}
