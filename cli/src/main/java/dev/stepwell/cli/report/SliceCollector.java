package dev.stepwell.cli.report;

import dev.stepwell.cli.report.ReportData.Slice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a run's time into at most {@value #MAX_SLICES} slices of equal length, and keeps the
 * latencies and the queueing of what ended in each. Owned by one thread.
 *
 * <p>A slice is {@value #SHORTEST_MS} ms long at first; where the run gets longer than all of them,
 * neighbours are merged and slices are twice as long. What comes out depends on what was added, not
 * on its order, and the memory it needs is the same for ten and for ten million.
 */
public final class SliceCollector {
  static final int MAX_SLICES = 60;
  static final long SHORTEST_MS = 250;

  private final long startedAtMs;
  private final @Nullable Cell[] cells = new @Nullable Cell[MAX_SLICES];
  private final LogHistogram latency = new LogHistogram();
  private final LogHistogram queued = new LogHistogram();
  private long widthMs = SHORTEST_MS;

  /**
   * Begins with nothing.
   *
   * @param startedAtMs when the run began, milliseconds since the epoch; after an interruption:
   *     when its first process did
   */
  public SliceCollector(long startedAtMs) {
    this.startedAtMs = startedAtMs;
  }

  /**
   * Adds one task or request.
   *
   * @param endedAtMs when its result was there, milliseconds since the epoch; where that is before
   *     the start, by a clock that is behind, it counts in the first slice
   * @param latencyMs from publication to result, milliseconds
   * @param queuedMs the part of it that it waited for a slot, milliseconds
   * @throws IllegalArgumentException if a duration is no number or infinite
   */
  public void add(long endedAtMs, double latencyMs, double queuedMs) {
    long sinceStartMs = Math.max(0, endedAtMs - startedAtMs);
    while (sinceStartMs / widthMs >= MAX_SLICES) {
      merge();
    }
    int index = (int) (sinceStartMs / widthMs);
    Cell cell = cells[index];
    if (cell == null) {
      cell = new Cell();
      cells[index] = cell;
    }
    latency.add(latencyMs);
    queued.add(queuedMs);
    cell.latency.add(latencyMs);
    cell.queued.add(queuedMs);
  }

  /** All slices from the start to the last in which anything ended, those without among them. */
  public List<Slice> slices() {
    List<Slice> slices = new ArrayList<>();
    int used = MAX_SLICES;
    while (used > 0 && cells[used - 1] == null) {
      used--;
    }
    for (int index = 0; index < used; index++) {
      slices.add(slice(index * widthMs, cells[index]));
    }
    return slices;
  }

  /** The latencies of the whole run. It is the collector's own: read it, and add nothing. */
  public LogHistogram latency() {
    return latency;
  }

  /** What the whole run's tasks waited for a slot. It is the collector's own, too. */
  public LogHistogram queued() {
    return queued;
  }

  private Slice slice(long fromMs, @Nullable Cell cell) {
    if (cell == null) {
      return new Slice(fromMs, fromMs + widthMs, 0, 0, 0, 0);
    }
    return new Slice(
        fromMs,
        fromMs + widthMs,
        cell.latency.count(),
        cell.latency.quantileMs(0.5),
        cell.latency.quantileMs(0.9),
        cell.queued.quantileMs(0.5));
  }

  private void merge() {
    for (int index = 0; index < MAX_SLICES; index++) {
      boolean inFirstHalf = index < MAX_SLICES / 2;
      cells[index] = inFirstHalf ? Cell.of(cells[2 * index], cells[2 * index + 1]) : null;
    }
    widthMs *= 2;
  }

  /** What ended in one slice. */
  private static final class Cell {
    final LogHistogram latency = new LogHistogram();
    final LogHistogram queued = new LogHistogram();

    static @Nullable Cell of(@Nullable Cell first, @Nullable Cell second) {
      if (first == null || second == null) {
        return first == null ? second : first;
      }
      first.latency.addAll(second.latency);
      first.queued.addAll(second.queued);
      return first;
    }
  }
}
