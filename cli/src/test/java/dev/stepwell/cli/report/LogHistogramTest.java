package dev.stepwell.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LogHistogramTest {
  private static final double[] PARTS = {0, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1};

  @Test
  void quantiles_areNearTheExactOnes() {
    Random random = new Random(1);
    for (double scale : new double[] {0.05, 1, 300, 1e6}) {
      double[] values = random.doubles(20_001).map(part -> scale * Math.exp(4 * part)).toArray();
      LogHistogram histogram = of(values);
      Arrays.sort(values);
      for (double part : PARTS) {
        double exact = values[Math.max(0, (int) Math.ceil(part * values.length) - 1)];
        assertThat(histogram.quantileMs(part))
            .as("%s of values around %s", part, scale)
            .isCloseTo(exact, within(exact * LogHistogram.MAX_ERROR));
      }
    }
  }

  @Test
  void merged_isTheSameAsAddedToOne_inAnyOrder() {
    double[] values = new Random(2).doubles(1000, 0, 5000).toArray();
    LogHistogram first = of(Arrays.copyOfRange(values, 0, 300));
    first.addAll(of(Arrays.copyOfRange(values, 300, 1000)));
    LogHistogram second = of(Arrays.copyOfRange(values, 300, 1000));
    second.addAll(of(Arrays.copyOfRange(values, 0, 300)));
    for (double part : PARTS) {
      assertThat(first.quantileMs(part)).isEqualTo(of(values).quantileMs(part));
      assertThat(second.quantileMs(part)).isEqualTo(first.quantileMs(part));
    }
    assertThat(first.quantiles()).isEqualTo(of(values).quantiles());
  }

  @Test
  void one_isItsEveryQuantile_exactly() {
    LogHistogram one = of(7.125);
    for (double part : PARTS) {
      assertThat(one.quantileMs(part)).isEqualTo(7.125);
    }
    assertThat(one.quantiles()).isEqualTo(new ReportData.Quantiles(1, 7.125, 7.125, 7.125, 7.125));
  }

  @Test
  void none_isZero() {
    assertThat(new LogHistogram().quantiles()).isEqualTo(new ReportData.Quantiles(0, 0, 0, 0, 0));
  }

  @Test
  void whatIsBeyondTheBounds_isCounted() {
    LogHistogram histogram = of(-3, 0, 0.001, 1e12, 1e13);
    assertThat(histogram.count()).isEqualTo(5);
    assertThat(histogram.quantileMs(0.5)).isZero();
    assertThat(histogram.quantileMs(0.8)).isGreaterThanOrEqualTo(LogHistogram.LARGEST_MS * 0.95);
    assertThat(histogram.maxMs()).isEqualTo(1e13);
  }

  @Test
  void noNumber_isRefused() {
    LogHistogram histogram = new LogHistogram();
    assertThatThrownBy(() -> histogram.add(Double.NaN)).hasMessageContaining("NaN is no duration");
    assertThatThrownBy(() -> histogram.add(Double.POSITIVE_INFINITY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> histogram.quantileMs(1.01)).hasMessageContaining("0 to 1");
    assertThat(histogram.count()).isZero();
  }

  private static LogHistogram of(double... values) {
    LogHistogram histogram = new LogHistogram();
    for (double value : values) {
      histogram.add(value);
    }
    return histogram;
  }
}
