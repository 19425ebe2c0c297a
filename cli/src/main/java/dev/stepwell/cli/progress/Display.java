package dev.stepwell.cli.progress;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts, and shows on a view what it counted; thread-safe. The view and the paces are owned by the
 * display's own thread, so that a slow terminal holds nobody up.
 */
final class Display implements Progress {
  private static final long INTERVAL_MS = 250;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final OptionalLong total;
  private final View view;
  private final LongSupplier clockNs;
  private final Counts counts = new Counts();
  private final Pace donePace = new Pace();
  private final Pace partPace = new Pace();
  private final ScheduledExecutorService thread;

  private Display(OptionalLong total, View view, LongSupplier clockNs) {
    this.total = total;
    this.view = view;
    this.clockNs = clockNs;
    this.thread = Executors.newSingleThreadScheduledExecutor(Display::thread);
  }

  static Display start(OptionalLong total, View view, LongSupplier clockNs) {
    Display display = new Display(total, view, clockNs);
    display.run(() -> display.standing());
    @SuppressWarnings("FutureReturnValueIgnored") // It ends with its thread.
    var ignored =
        display.thread.scheduleWithFixedDelay(
            () -> view.show(display.standing()), INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    return display;
  }

  @Override
  public void done(String label) {
    counts.done(label);
  }

  @Override
  public void skipped(long count) {
    counts.skipped(count);
  }

  @Override
  public void part(double part) {
    counts.part(part);
  }

  @Override
  public void note(String line) {
    run(() -> view.note(line));
  }

  @Override
  public void close() {
    run(() -> view.end(standing()));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Called by the display's thread alone. */
  private Standing standing() {
    long nowNs = clockNs.getAsLong();
    long done = counts.done();
    double part = counts.part();
    donePace.note(nowNs, (double) done);
    partPace.note(nowNs, part);
    long all = done + counts.skipped();
    return new Standing(all, total, part, counts.text(), donePace.perSecond(), left(all, part));
  }

  private OptionalDouble left(long all, double part) {
    if (total.isPresent()) {
      return left((double) (total.getAsLong() - all), donePace);
    }
    return part > 0 ? left(1 - part, partPace) : OptionalDouble.empty();
  }

  private static OptionalDouble left(double remaining, Pace pace) {
    double perSecond = pace.perSecond();
    return remaining <= 0 || perSecond <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(remaining / perSecond);
  }

  private void run(Runnable command) {
    try {
      thread.execute(command);
    } catch (RejectedExecutionException e) {
      // Closed: nothing is shown any more.
      return;
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "progress");
    thread.setDaemon(true);
    return thread;
  }
}
