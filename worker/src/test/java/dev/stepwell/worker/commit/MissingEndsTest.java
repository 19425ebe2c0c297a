package dev.stepwell.worker.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissingEndsTest {
  /** A negative hash is where ways to make one positive differ. */
  @Test
  void offsetsOfAGroup_areWhereItsCoordinatorKeepsThem() {
    assertThat("a-team".hashCode()).isEqualTo(-1_472_825_271);
    assertThat(MissingEnds.offsetsPartition("a-team", 50)).isEqualTo(21);
    assertThat(MissingEnds.offsetsPartition("stepwell-workers", 50)).isEqualTo(2);
    assertThat(MissingEnds.offsetsPartition("stepwell-workers", 1)).isZero();
  }
}
