package dev.stepwell.cli.progress;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar that moves, for a terminal; owned by the thread that shows progress. */
final class BarView implements View {
  private static final int UPDATE_MS = 200;

  /** A bar of a whole that nobody has counted has as many steps. */
  private static final int PARTS = 1000;

  private static final String TO_LINE_START_AND_CLEAR = "\r\u001b[K";

  private final PrintStream terminal;
  private final ProgressBar bar;

  BarView(String title, PrintStream terminal) {
    this.terminal = terminal;
    this.bar =
        new ProgressBarBuilder()
            .setTaskName(title)
            .setInitialMax(-1)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(UPDATE_MS)
            .setConsumer(new ConsoleProgressBarConsumer(terminal))
            // The library's estimate looks back to the start; ours stands in the message.
            .hideEta()
            .build();
  }

  @Override
  public void show(Standing standing) {
    if (standing.total().isPresent()) {
      bar.maxHint(standing.total().getAsLong());
      bar.stepTo(standing.done());
    } else if (standing.part() > 0) {
      bar.maxHint(PARTS);
      bar.stepTo(Math.round(standing.part() * PARTS));
    }
    bar.setExtraMessage(
        (standing.counts().isEmpty() ? " " : " " + standing.counts() + ", ") + standing.pace());
  }

  @Override
  public void note(String line) {
    terminal.println(TO_LINE_START_AND_CLEAR + line);
  }

  @Override
  public void end(Standing standing) {
    show(standing);
    bar.close();
  }
}
