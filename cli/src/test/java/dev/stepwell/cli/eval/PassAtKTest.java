package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PassAtKTest {
  @Test
  void estimate_isThePartOfAllChoicesThatHaveAPassedSample() {
    for (int n = 1; n <= 9; n++) {
      for (int c = 0; c <= n; c++) {
        for (int k = 1; k <= n; k++) {
          assertThat(PassAtK.estimate(n, c, k))
              .as("n %d, c %d, k %d", n, c, k)
              .isEqualTo(enumerated(n, c, k), within(1e-12));
        }
      }
    }
  }

  /** Looks at every choice of k out of n, of which the first c passed. */
  private static double enumerated(int n, int c, int k) {
    int choices = 0;
    int withAPassedOne = 0;
    for (int choice = 0; choice < 1 << n; choice++) {
      if (Integer.bitCount(choice) == k) {
        choices++;
        withAPassedOne += (choice & ((1 << c) - 1)) == 0 ? 0 : 1;
      }
    }
    return (double) withAPassedOne / choices;
  }

  @Test
  void estimate_ofManySamples_doesNotOverflow() {
    assertThat(PassAtK.estimate(2000, 1, 1000)).isEqualTo(0.5, within(1e-9));
    assertThat(PassAtK.estimate(2000, 0, 100)).isZero();
    assertThat(PassAtK.estimate(2000, 2000, 1)).isEqualTo(1);
  }

  @Test
  void mean_isOverTheTasksThatHaveEnough() {
    List<PassAtK.Counts> tasks =
        List.of(new PassAtK.Counts(2, 1), new PassAtK.Counts(2, 0), new PassAtK.Counts(1, 1));

    assertThat(PassAtK.of(tasks, List.of(1, 2, 3)))
        .containsExactly(new PassAtK(1, 0.5, 3), new PassAtK(2, 0.5, 2));
  }

  @Test
  void sampleWithoutAVerdict_doesNotCount() {
    PassAtK.Counts counts =
        new PassAtK.Counts(0, 0)
            .plus(Status.PASSED)
            .plus(Status.INFRASTRUCTURE)
            .plus(Status.FAILED);
    assertThat(counts).isEqualTo(new PassAtK.Counts(2, 1));
  }

  @Test
  void usualNumbers_areThoseThatThereAreEnoughSamplesFor() {
    assertThat(PassAtK.usual(1)).containsExactly(1);
    assertThat(PassAtK.usual(10)).containsExactly(1, 5, 10);
    assertThat(PassAtK.usual(0)).containsExactly(1);
  }
}
