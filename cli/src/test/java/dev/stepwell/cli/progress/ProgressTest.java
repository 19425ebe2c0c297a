package dev.stepwell.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private static Standing standing(OptionalLong total, double part, OptionalDouble left) {
    return new Standing(812, total, part, "790 passed, 22 failed", 48.12, left);
  }

  @Test
  void line_tellsAll() {
    assertThat(standing(OptionalLong.of(1640), 0, OptionalDouble.of(16.4)).line("eval", "tasks"))
        .isEqualTo("eval: 812 of 1640 tasks, 790 passed, 22 failed, 48.1/s, about 17 s left");
  }

  @Test
  void line_ofAnUnknownTotal_tellsThePart() {
    assertThat(standing(OptionalLong.empty(), 0.42, OptionalDouble.empty()).line("record", ""))
        .isEqualTo("record: 812, 42 %, 790 passed, 22 failed, 48.1/s");
  }

  @Test
  void durations_areRoundedToWhatMatters() {
    assertThat(List.of(0.2, 119.0, 150.0, 7860.0, 180_000.0, 1e12))
        .extracting(Standing::duration)
        .containsExactly("1 s", "119 s", "3 min", "2 h 11 min", "2 d 2 h", "100 d");
  }

  @Test
  void pace_forgetsWhatIsLongAgo() {
    Pace pace = new Pace();
    assertThat(pace.perSecond()).isZero();
    for (int second = 0; second <= 100; second++) {
      pace.note(second * SECOND, second < 50 ? second * 1000 : 50_000 + (second - 50) * 2);
    }
    assertThat(pace.perSecond()).isEqualTo(2);
  }

  @Test
  void counts_ofManyThreads_areAllThere() throws InterruptedException {
    Counts counts = new Counts();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String label = i % 2 == 0 ? "passed" : "failed";
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < 10_000; n++) {
                  counts.done(label);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    counts.skipped(7);

    assertThat(counts.done()).isEqualTo(40_000);
    assertThat(counts.skipped()).isEqualTo(7);
    assertThat(counts.text())
        .isIn("7 before, 20000 passed, 20000 failed", "7 before, 20000 failed, 20000 passed");
  }

  @Test
  void lines_comeEveryFiveSeconds() {
    StringWriter written = new StringWriter();
    AtomicLong clock = new AtomicLong();
    View view = new LinesView("eval", "tasks", new PrintWriter(written), clock::get);
    for (int second = 0; second < 12; second++) {
      clock.set(second * SECOND);
      view.show(standing(OptionalLong.of(1000), 0, OptionalDouble.empty()));
    }
    assertThat(written.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("eval: "));
  }

  @Test
  void display_showsNotesInOrderAndTheLastCounts_andNothingAfterClose() {
    List<String> shown = Collections.synchronizedList(new ArrayList<>());
    Progress progress =
        Display.start(OptionalLong.of(5), new Kept(shown), new AtomicLong()::incrementAndGet);
    progress.skipped(2);
    progress.done("passed");
    progress.note("one");
    progress.note("two");
    progress.close();
    progress.done("passed");
    progress.note("three");
    progress.close();

    assertThat(shown).hasSize(3).startsWith("one", "two");
    assertThat(shown.get(2)).startsWith("x: 3 of 5, 2 before, 1 passed, ");
  }

  /** Keeps what stays. */
  private record Kept(List<String> shown) implements View {
    @Override
    public void show(Standing standing) {}

    @Override
    public void note(String line) {
      shown.add(line);
    }

    @Override
    public void end(Standing standing) {
      shown.add(standing.line("x", ""));
    }
  }
}
