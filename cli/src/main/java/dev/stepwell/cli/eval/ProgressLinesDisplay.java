package dev.stepwell.cli.eval;

import java.io.PrintWriter;
import java.time.Duration;

/** A line every few seconds, for logs; owned by the thread that shows progress. */
final class ProgressLinesDisplay implements ProgressDisplay {
  private static final long INTERVAL_NS = Duration.ofSeconds(5).toNanos();

  private final int tasks;
  private final PrintWriter lines;
  private final long startNs = System.nanoTime();
  private long shownNs = startNs;

  ProgressLinesDisplay(int tasks, PrintWriter lines) {
    this.tasks = tasks;
    this.lines = lines;
  }

  @Override
  public void show(Tally tally) {
    long nowNs = System.nanoTime();
    if (nowNs - shownNs < INTERVAL_NS) {
      return;
    }
    shownNs = nowNs;
    lines.println(
        "eval: %d of %d tasks, %s, %.1f/s"
            .formatted(tally.total(), tasks, tally, tally.total() / ((nowNs - startNs) / 1e9)));
  }

  @Override
  public void close() {
    lines.flush();
  }
}
