package dev.stepwell.cli.eval;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar that moves, for a terminal; owned by the thread that shows progress. */
final class ProgressBarDisplay implements ProgressDisplay {
  private static final int UPDATE_MS = 200;

  private final ProgressBar bar;

  ProgressBarDisplay(int tasks, PrintStream terminal) {
    bar =
        new ProgressBarBuilder()
            .setTaskName("eval")
            .setInitialMax(tasks)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(UPDATE_MS)
            .setConsumer(new ConsoleProgressBarConsumer(terminal))
            .showSpeed()
            .build();
  }

  @Override
  public void show(Tally tally) {
    bar.stepTo(tally.total());
    bar.setExtraMessage(
        " %d passed %d failed %d infra"
            .formatted(tally.passed(), tally.failed(), tally.infrastructure()));
  }

  @Override
  public void close() {
    bar.close();
  }
}
