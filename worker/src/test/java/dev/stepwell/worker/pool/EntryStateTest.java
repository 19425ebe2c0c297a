package dev.stepwell.worker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryStateTest {
  @ParameterizedTest
  @CsvSource({
    "STARTING, IDLE DESTROYING GONE",
    "IDLE, RESERVED TAKEN DESTROYING",
    "RESERVED, IDLE DESTROYING",
    "TAKEN, IDLE DESTROYING",
    "DESTROYING, GONE",
    "GONE, ''",
  })
  void state_becomesTheseAndNoOthers(EntryState state, String expected) {
    Set<EntryState> allowed =
        Arrays.stream(EntryState.values()).filter(state::canBecome).collect(Collectors.toSet());

    assertThat(allowed)
        .isEqualTo(
            Arrays.stream(expected.split(" "))
                .filter(each -> !each.isEmpty())
                .map(EntryState::valueOf)
                .collect(Collectors.toSet()));
  }

  @Test
  void unexpectedMove_isRefusedAndChangesNothing() {
    Shelf shelf = shelf();
    Entry entry = shelf.add(0, 0);

    assertThatThrownBy(() -> shelf.move(entry, EntryState.TAKEN, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("STARTING")
        .hasMessageContaining("TAKEN");
    assertThat(entry.state()).isEqualTo(EntryState.STARTING);
    assertThat(shelf.count(EntryState.STARTING)).isEqualTo(1);
  }

  private static Shelf shelf() {
    return new Shelf(new PoolProfile(PoolFixture.profile("plain"), 0, 0), 1, 0);
  }
}
