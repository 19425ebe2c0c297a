package dev.stepwell.cli.progress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A line every few seconds, for logs; owned by the thread that shows progress. */
final class LinesView implements View {
  private static final long INTERVAL_NS = Duration.ofSeconds(5).toNanos();

  private final String title;
  private final String unit;
  private final PrintWriter lines;
  private final LongSupplier clockNs;
  private long shownNs;

  LinesView(String title, String unit, PrintWriter lines, LongSupplier clockNs) {
    this.title = title;
    this.unit = unit;
    this.lines = lines;
    this.clockNs = clockNs;
    this.shownNs = clockNs.getAsLong();
  }

  @Override
  public void show(Standing standing) {
    long nowNs = clockNs.getAsLong();
    if (nowNs - shownNs >= INTERVAL_NS) {
      shownNs = nowNs;
      note(standing.line(title, unit));
    }
  }

  @Override
  public void note(String line) {
    lines.println(line);
    lines.flush();
  }

  @Override
  public void end(Standing standing) {
    note(standing.line(title, unit));
  }
}
