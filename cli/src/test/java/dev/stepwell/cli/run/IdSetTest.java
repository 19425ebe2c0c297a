package dev.stepwell.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class IdSetTest {
  @Test
  void remembersWhatASetDoes() {
    Random random = new Random(7);
    Set<String> expected = new HashSet<>();
    IdSet ids = new IdSet();
    for (int i = 0; i < 200_000; i++) {
      String id = "r0." + random.nextInt(5_000);
      if (random.nextInt(3) == 0) {
        assertThat(ids.remove(id)).isEqualTo(expected.remove(id));
      } else {
        ids.add(id);
        expected.add(id);
      }
    }
    assertThat(ids.size()).isEqualTo(expected.size());
    for (int i = 0; i < 5_000; i++) {
      assertThat(ids.contains("r0." + i)).isEqualTo(expected.contains("r0." + i));
    }
  }
}
