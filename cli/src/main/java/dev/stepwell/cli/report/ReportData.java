package dev.stepwell.cli.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a report shows; immutable. Whoever makes it bounds the number of {@code rows}, and says in
 * {@code notes} what was left out.
 *
 * @param kind what it is about
 * @param title what to call it: the file of tasks, or the log
 * @param startedAtMs when it began, in milliseconds since the epoch
 * @param elapsedMs how long it took
 * @param facts what else to say at the top, in this order: {@code pass@1} to {@code 0.62}
 * @param notes sentences that the reader must not miss: a torn log, requests that could not run
 * @param counts how many went how, in this order: {@code passed} to 120
 * @param rows one for each task or request that is worth a line
 * @param seconds latency and queueing over time, one for each slice of time
 * @param timings how long things took as recorded and now, over all and not the {@code rows} alone;
 *     may be empty: then the page says it of the rows
 */
public record ReportData(
    Kind kind,
    String title,
    long startedAtMs,
    long elapsedMs,
    Map<String, String> facts,
    List<String> notes,
    Map<String, Long> counts,
    List<Row> rows,
    List<Slice> seconds,
    List<Timing> timings) {
  /** What a report is about. */
  public enum Kind {
    EVALUATION,
    REPLAY
  }

  public ReportData {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    notes = List.copyOf(notes);
    counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    rows = List.copyOf(rows);
    seconds = List.copyOf(seconds);
    timings = List.copyOf(timings);
  }

  /** A report that leaves the timings to the rows. */
  public ReportData(
      Kind kind,
      String title,
      long startedAtMs,
      long elapsedMs,
      Map<String, String> facts,
      List<String> notes,
      Map<String, Long> counts,
      List<Row> rows,
      List<Slice> seconds) {
    this(kind, title, startedAtMs, elapsedMs, facts, notes, counts, rows, seconds, List.of());
  }

  /**
   * A task that was tried, or a request that was replayed; immutable.
   *
   * @param id the task, or the session and step
   * @param group what belongs together: the task of several samples, the session of several steps
   * @param status one of the keys of {@code counts}
   * @param outcome the outcome, or null
   * @param reason what was otherwise than expected, or null
   * @param latencyMs from publication to result, milliseconds
   * @param queuedMs the part of it that it waited for a slot, milliseconds
   * @param recordedLatencyMs what it took when it was recorded; null for an evaluation
   * @param attempts how many requests were sent for it
   * @param code what ran, cut; null where that isn't kept
   * @param output what it printed, cut; null where that isn't kept
   * @param differences in which ways it differs from what was recorded
   */
  public record Row(
      String id,
      String group,
      String status,
      @Nullable String outcome,
      @Nullable String reason,
      double latencyMs,
      double queuedMs,
      @Nullable Double recordedLatencyMs,
      int attempts,
      @Nullable String code,
      @Nullable String output,
      List<Side> differences) {
    public Row {
      differences = List.copyOf(differences);
    }
  }

  /**
   * A difference, to be read side by side; immutable.
   *
   * @param type its type
   * @param what which one
   * @param recorded what was recorded, or null
   * @param replayed what came now, or null
   */
  public record Side(
      String type, String what, @Nullable String recorded, @Nullable String replayed) {}

  /**
   * A slice of time; immutable.
   *
   * @param fromMs where it begins, milliseconds from the start
   * @param toMs where it ends
   * @param done how many ended in it
   * @param latencyP50Ms the median latency of those
   * @param latencyP90Ms the 90th percentile
   * @param queuedP50Ms the median of what they waited for a slot
   */
  public record Slice(
      long fromMs,
      long toMs,
      long done,
      double latencyP50Ms,
      double latencyP90Ms,
      double queuedP50Ms) {}

  /**
   * How long one part of what was done took, as recorded and now; immutable.
   *
   * @param name which part: {@code total}, {@code queued}, {@code ran}
   * @param recorded as it was recorded; null for an evaluation
   * @param replayed as it was now
   */
  public record Timing(String name, @Nullable Quantiles recorded, Quantiles replayed) {}

  /**
   * Quantiles of some durations; immutable. {@link LogHistogram#quantiles} makes them.
   *
   * @param count of how many
   * @param p50Ms the median, milliseconds
   * @param p90Ms the 90th percentile
   * @param p99Ms the 99th percentile
   * @param maxMs the greatest
   */
  public record Quantiles(long count, double p50Ms, double p90Ms, double p99Ms, double maxMs) {}
}
