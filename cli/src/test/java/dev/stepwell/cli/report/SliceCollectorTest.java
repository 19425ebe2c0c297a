package dev.stepwell.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stepwell.cli.report.ReportData.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SliceCollectorTest {
  private static final long START = 1_790_000_000_000L;

  /** What ended when, and how long it took. */
  private record Ended(long atMs, double latencyMs, double queuedMs) {}

  @Test
  void orderOfAdding_makesNoDifference() {
    Random random = new Random(3);
    List<Ended> all = new ArrayList<>();
    for (int index = 0; index < 5000; index++) {
      all.add(new Ended(random.nextInt(900_000), random.nextDouble() * 500, random.nextInt(40)));
    }
    List<Slice> slices = collect(all);
    for (int round = 0; round < 5; round++) {
      Collections.shuffle(all, random);
      assertThat(collect(all)).isEqualTo(slices);
    }
  }

  @Test
  void slices_coverTheRun_andAreFewHoweverLongItIs() {
    for (long lengthMs : new long[] {1, 14_999, 15_000, 60_000, 3_600_000, 30L * 86_400_000}) {
      List<Ended> all = new ArrayList<>();
      for (int index = 0; index <= 500; index++) {
        all.add(new Ended(lengthMs * index / 500, 10, 1));
      }
      List<Slice> slices = collect(all);
      assertThat(slices.size()).isBetween(1, SliceCollector.MAX_SLICES);
      assertThat(slices.stream().mapToLong(Slice::done).sum()).isEqualTo(501);
      assertThat(slices.get(slices.size() - 1).toMs()).isGreaterThan(lengthMs);
      long from = 0;
      for (Slice slice : slices) {
        assertThat(slice.fromMs()).isEqualTo(from);
        from = slice.toMs();
      }
    }
  }

  @Test
  void slice_hasTheQuantilesOfWhatEndedInIt() {
    List<Ended> all = new ArrayList<>();
    for (int index = 1; index <= 100; index++) {
      all.add(new Ended(100, index, index / 10.0));
      all.add(new Ended(600, 1000 + index, 3));
    }
    List<Slice> slices = collect(all);
    assertThat(slices).hasSize(3);
    assertThat(slices.get(0).latencyP50Ms()).isCloseTo(50, within(2.5));
    assertThat(slices.get(0).latencyP90Ms()).isCloseTo(90, within(4.5));
    assertThat(slices.get(0).queuedP50Ms()).isCloseTo(5, within(0.25));
    assertThat(slices.get(1)).isEqualTo(new Slice(250, 500, 0, 0, 0, 0));
    assertThat(slices.get(2).latencyP50Ms()).isCloseTo(1050, within(52.0));
  }

  @Test
  void mergedSlices_haveTheQuantilesOfAll() {
    List<Ended> all = new ArrayList<>();
    for (int index = 0; index < 1000; index++) {
      all.add(new Ended(index, index % 2 == 0 ? 10 : 90, 0));
    }
    all.add(new Ended(100_000, 7, 0));
    Slice first = collect(all).get(0);
    assertThat(first.toMs()).isEqualTo(2000);
    assertThat(first.done()).isEqualTo(1000);
    assertThat(first.latencyP50Ms()).isCloseTo(10, within(0.25));
    assertThat(first.latencyP90Ms()).isCloseTo(90, within(2.25));
  }

  @Test
  void whatEndedBeforeTheStart_isInTheFirstSlice() {
    assertThat(collect(List.of(new Ended(-5000, 10, 1)))).hasSize(1);
  }

  @Test
  void wholeRun_hasQuantilesToo() {
    SliceCollector collector = new SliceCollector(START);
    collector.add(START + 5, 10, 2);
    collector.add(START + 500_000, 30, 4);
    assertThat(collector.latency().quantiles().maxMs()).isEqualTo(30);
    assertThat(collector.queued().count()).isEqualTo(2);
  }

  private static List<Slice> collect(List<Ended> all) {
    SliceCollector collector = new SliceCollector(START);
    all.forEach(ended -> collector.add(START + ended.atMs, ended.latencyMs, ended.queuedMs));
    return collector.slices();
  }
}
