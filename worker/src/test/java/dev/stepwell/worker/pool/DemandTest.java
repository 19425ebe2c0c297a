package dev.stepwell.worker.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemandTest {
  private final ManualClock clock = new ManualClock();
  private final Demand demand = new Demand(clock.getAsLong());

  @Test
  void nobody_expectsNothing() {
    demand.created(Duration.ofSeconds(10).toNanos());

    assertThat(demand.expected(clock.getAsLong())).isZero();
  }

  @Test
  void oneTake_isNoDemandForSandboxesThatStartQuickly() {
    demand.created(Duration.ofMillis(20).toNanos());
    takes(1, Duration.ZERO);

    assertThat(demand.expected(clock.getAsLong())).isZero();
  }

  @Test
  void steadyTakes_askForThoseOfOneCreationAndTheirSpread() {
    demand.created(Duration.ofMillis(400).toNanos());
    takes(200, Duration.ofMillis(100));

    // 10/s for 0.4 s: 4 takers, and twice the square root of it.
    assertThat(demand.expected(clock.getAsLong())).isBetween(7, 9);
  }

  @Test
  void burst_isNoticedWithinAFewTakes() {
    demand.created(Duration.ofMillis(400).toNanos());
    takes(10, Duration.ofMillis(1));

    assertThat(demand.expected(clock.getAsLong())).isGreaterThanOrEqualTo(4);
  }

  @Test
  void demand_isForgottenSlowly() {
    demand.created(Duration.ofMillis(400).toNanos());
    takes(200, Duration.ofMillis(100));
    int atFirst = demand.expected(clock.getAsLong());

    clock.advance(Duration.ofSeconds(15));
    int soon = demand.expected(clock.getAsLong());
    clock.advance(Duration.ofMinutes(1));
    int later = demand.expected(clock.getAsLong());
    clock.advance(Duration.ofMinutes(10));

    assertThat(soon).isLessThan(atFirst).isGreaterThan(atFirst / 2);
    assertThat(later).isLessThan(soon);
    assertThat(demand.expected(clock.getAsLong())).isZero();
  }

  @Test
  void slowerCreations_askForMore() {
    demand.created(Duration.ofMillis(100).toNanos());
    takes(100, Duration.ofMillis(100));
    int quick = demand.expected(clock.getAsLong());

    for (int i = 0; i < 20; i++) {
      demand.created(Duration.ofSeconds(1).toNanos());
    }

    assertThat(demand.expected(clock.getAsLong())).isGreaterThan(quick * 3);
  }

  private void takes(int count, Duration apart) {
    for (int i = 0; i < count; i++) {
      clock.advance(apart);
      demand.arrived(clock.getAsLong());
    }
  }
}
