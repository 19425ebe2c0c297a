package dev.stepwell.cli.eval;

import dev.stepwell.cli.report.ReportData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Latency and queueing of what ran, over time. */
final class Latencies {
  private static final int SLICES = 60;

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

  /** Slices of the time from the first request to the last answer, each of the same length. */
  static List<ReportData.Slice> slices(List<SampleVerdict> all) {
    long startedAtMs = startedAtMs(all);
    List<SampleVerdict.Figures> ran =
        all.stream().map(SampleVerdict::figures).filter(Latencies::ran).toList();
    long tookMs =
        ran.stream().mapToLong(each -> each.endedAtMs() - startedAtMs).max().orElse(0);
    long sliceMs = Math.max(1, (tookMs + SLICES) / SLICES);
    List<List<SampleVerdict.Figures>> bySlice = new ArrayList<>();
    for (long fromMs = 0; !ran.isEmpty() && fromMs <= tookMs; fromMs += sliceMs) {
      bySlice.add(new ArrayList<>());
    }
    for (SampleVerdict.Figures each : ran) {
      bySlice.get((int) ((each.endedAtMs() - startedAtMs) / sliceMs)).add(each);
    }
    List<ReportData.Slice> slices = new ArrayList<>();
    for (int i = 0; i < bySlice.size(); i++) {
      slices.add(slice(i * sliceMs, (i + 1) * sliceMs, bySlice.get(i)));
    }
    return slices;
  }

  private static ReportData.Slice slice(
      long fromMs, long toMs, List<SampleVerdict.Figures> ended) {
    double[] latencies = sorted(ended, SampleVerdict.Figures::latencyMs);
    double[] queued = sorted(ended, SampleVerdict.Figures::queuedMs);
    return new ReportData.Slice(
        fromMs,
        toMs,
        ended.size(),
        quantile(latencies, 0.5),
        quantile(latencies, 0.9),
        quantile(queued, 0.5));
  }

  private static double quantile(double[] sorted, double part) {
    return sorted.length == 0 ? 0 : Tally.quantile(sorted, part);
  }

  private static double[] sorted(
      List<SampleVerdict.Figures> all, ToDoubleFunction<SampleVerdict.Figures> figure) {
    double[] figures = all.stream().mapToDouble(figure).toArray();
    Arrays.sort(figures);
    return figures;
  }

  private static boolean ran(SampleVerdict.Figures figures) {
    return figures.startedAtMs() > 0;
  }
}
