package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TallyTest {
  @Test
  void verdicts_areCountedByStatus() {
    assertThat(
            Tally.NONE
                .plus(Status.PASSED)
                .plus(Status.PASSED)
                .plus(Status.FAILED)
                .plus(Status.INFRASTRUCTURE))
        .isEqualTo(new Tally(2, 1, 1))
        .hasToString("2 passed, 1 failed, 1 infrastructure");
  }

  @Test
  void quantile_isAValueThatWasThere() {
    double[] hundred = IntStream.rangeClosed(1, 100).mapToDouble(n -> n).toArray();
    assertThat(Tally.quantile(hundred, 0.5)).isEqualTo(50);
    assertThat(Tally.quantile(hundred, 0.99)).isEqualTo(99);
    assertThat(Tally.quantile(new double[] {7}, 0.5)).isEqualTo(7);
  }

  @Test
  void quantiles_doNotNeedOrder() {
    assertThat(Tally.quantiles(new double[] {3, 1, 2}))
        .isEqualTo("p50 2.0 ms, p90 3.0 ms, p99 3.0 ms, max 3.0 ms");
    assertThat(Tally.quantiles(new double[0])).isEqualTo("none");
  }
}
