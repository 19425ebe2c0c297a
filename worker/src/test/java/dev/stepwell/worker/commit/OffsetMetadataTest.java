package dev.stepwell.worker.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OffsetMetadataTest {
  /** What brokers accept by default. */
  private static final int BROKER_LIMIT = 4096;

  @Test
  void encode_staysWithinTheBrokersLimitAtItsFullest() {
    SortedSet<Long> finished = new TreeSet<>();
    SortedMap<Long, Integer> starts = new TreeMap<>();
    long position = Long.MAX_VALUE - 3L * OffsetMetadata.MAX_WINDOW;
    for (int i = 1; i < 2 * OffsetMetadata.MAX_WINDOW; i++) {
      finished.add(position + i);
    }
    for (int i = 0; i < 1000; i++) {
      starts.put(position + OffsetMetadata.MAX_WINDOW - i, 99);
    }
    OffsetMetadata full =
        new OffsetMetadata(position + OffsetMetadata.MAX_WINDOW + 1000, finished, starts);

    assertThat(full.encode(position)).hasSizeLessThan(BROKER_LIMIT);
  }

  @Test
  void decode_givesBackWhatWasEncoded() {
    OffsetMetadata before =
        new OffsetMetadata(
            1500, new TreeSet<>(Set.of(502L, 503L, 900L)), new TreeMap<>(Map.of(501L, 2)));

    OffsetMetadata after = OffsetMetadata.decode(500, before.encode(500));

    assertThat(after).isEqualTo(before);
  }

  @Test
  void decode_ofNothingIsNothing() {
    assertThat(OffsetMetadata.decode(42, "")).isEqualTo(OffsetMetadata.none(42));
  }

  @Test
  void decode_refusesWhatAnotherProgramWrote() {
    assertThatThrownBy(() -> OffsetMetadata.decode(42, "leader-epoch=3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leader-epoch=3");
  }
}
