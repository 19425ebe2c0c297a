package dev.stepwell.worker.pool;

import static dev.stepwell.worker.pool.PoolFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.runner.ReadyRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class SandboxPoolSizeTest {
  private static final String PLAIN = "plain";
  private static final String DATA = "data";

  @Test
  void idleSandboxes_growWithDemand_andShrinkSlowlyBackToTheMinimum() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 1, 50).creators(1).start()) {
      fixture.starter.meanwhile(() -> fixture.clock.advance(Duration.ofMillis(200)));
      for (int i = 0; i < 30; i++) {
        fixture.pool.retire(fixture.take(PLAIN));
        fixture.awaitFigures(PLAIN, each -> each.idle() >= 1 && each.starting() == 0);
      }
      int grown = fixture.figures(PLAIN).wantedIdle();
      assertThat(grown).isBetween(3, 10);
      fixture.awaitFigures(PLAIN, each -> each.idle() >= grown && each.starting() == 0);

      fixture.advance(Duration.ofSeconds(10));
      assertThat(fixture.figures(PLAIN).idle()).isGreaterThanOrEqualTo(grown);

      fixture.advance(Duration.ofMinutes(10));
      fixture.awaitIdle(PLAIN, 1);
      fixture.pool.tidy();
      assertThat(fixture.figures(PLAIN).idle()).isEqualTo(1);
    }
  }

  @Test
  void idleSandboxes_neverExceedTheMaximum() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 1, 3).creators(1).start()) {
      fixture.starter.meanwhile(() -> fixture.clock.advance(Duration.ofSeconds(2)));
      for (int i = 0; i < 20; i++) {
        fixture.pool.retire(fixture.take(PLAIN));
      }
      assertThat(fixture.figures(PLAIN).wantedIdle()).isEqualTo(3);
      fixture.awaitIdle(PLAIN, 3);
    }
  }

  @Test
  void profileWithoutIdleSandboxes_startsOnePerTaker() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 0, 0).start()) {
      for (int i = 0; i < 3; i++) {
        fixture.pool.retire(fixture.take(PLAIN));
      }
      fixture.awaitFigures(PLAIN, each -> each.sandboxes() == 0);
      assertThat(fixture.starter.sandboxes()).hasSize(3);
    }
  }

  @Test
  void totalBound_holdsTakersBackUntilASandboxIsGone() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 0, 4).maxSandboxes(2).start()) {
      ReadyRunner first = fixture.take(PLAIN);
      fixture.take(PLAIN);
      FutureTask<ReadyRunner> third = taker(fixture, PLAIN);
      fixture.awaitFigures(PLAIN, each -> each.waiting() == 1);
      fixture.pool.tidy();
      assertThat(fixture.starter.sandboxes()).hasSize(2);

      fixture.pool.retire(first);

      assertThat(third.get()).isNotSameAs(first);
      assertThat(fixture.pool.figures().sandboxes()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void waitingTaker_hasIdleSandboxesOfAnotherProfileEvicted_andNoMoreThanNeeded() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 4, 4).profile(DATA, 0, 0).maxSandboxes(4).start()) {
      fixture.awaitIdle(PLAIN, 4);

      ReadyRunner data = fixture.take(DATA);

      assertThat(data.id()).startsWith(DATA);
      fixture.awaitIdle(PLAIN, 3);
      assertThat(fixture.pool.figures().sandboxes()).isEqualTo(4);
      assertThat(fixture.starter.sandboxes()).hasSize(5);

      fixture.pool.retire(data);
      fixture.awaitIdle(PLAIN, 4);
    }
  }

  @Test
  void eviction_takesFromTheProfileThatCanSpareMost() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile("few", 1, 1)
            .profile("many", 0, 50)
            .profile(DATA, 0, 0)
            .maxSandboxes(4)
            .creators(1)
            .start()) {
      fixture.starter.meanwhile(() -> fixture.clock.advance(Duration.ofMillis(500)));
      fixture.awaitIdle("few", 1);
      while (fixture.figures("many").idle() < 3) {
        fixture.pool.retire(fixture.take("many"));
        eventually().until(() -> fixture.pool.figures().sandboxes() == 4 || settled(fixture));
      }

      fixture.take(DATA);

      assertThat(fixture.figures("few").idle()).isEqualTo(1);
    }
  }

  private static boolean settled(PoolFixture fixture) {
    PoolFigures.OfProfile many = fixture.figures("many");
    return many.destroying() == 0 && many.starting() == 0 && many.idle() >= many.wantedIdle();
  }

  @Test
  void expiredIdleSandbox_isReplaced() {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 1, 1).idleLifetime(Duration.ofMinutes(10)).start()) {
      fixture.awaitIdle(PLAIN, 1);

      fixture.advance(Duration.ofMinutes(9));
      assertThat(fixture.figures(PLAIN).idle()).isEqualTo(1);
      assertThat(fixture.starter.sandboxes()).hasSize(1);

      fixture.advance(Duration.ofMinutes(1));
      eventually().until(() -> fixture.starter.sandboxes().size() == 2);
      eventually().until(() -> fixture.starter.sandboxes().get(0).destroys() == 1);
    }
  }

  @Test
  void lifetime_isVariedByTwoAndAHalfPercent() {
    assertThat(survives(0.0, Duration.ofMillis(999))).isTrue();
    assertThat(survives(0.0, Duration.ofSeconds(1))).isFalse();
    assertThat(survives(1.0, Duration.ofMillis(974))).isTrue();
    assertThat(survives(1.0, Duration.ofMillis(975))).isFalse();
  }

  private static boolean survives(double random, Duration age) {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 1, 1)
            .idleLifetime(Duration.ofSeconds(1))
            .random(random)
            .start()) {
      fixture.awaitIdle(PLAIN, 1);
      fixture.advance(age);
      eventually()
          .until(
              () -> fixture.figures(PLAIN).idle() == 1 && fixture.figures(PLAIN).destroying() == 0);
      return fixture.starter.sandboxes().get(0).destroys() == 0;
    }
  }

  @Test
  void takenSandbox_doesNotExpire_andItsAgeIsShown() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 0, 0).idleLifetime(Duration.ofSeconds(1)).start()) {
      ReadyRunner runner = fixture.take(PLAIN);

      fixture.advance(Duration.ofMinutes(1));

      assertThat(fixture.starter.alive(runner)).isTrue();
      assertThat(fixture.figures(PLAIN).longestTakenMs()).isEqualTo(60_000);
    }
  }

  @Test
  void takersOfTwoProfiles_shareTheRoomInTheOrderTheyCame() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 0, 0).profile(DATA, 0, 0).maxSandboxes(1).start()) {
      ReadyRunner holder = fixture.take(PLAIN);
      List<FutureTask<ReadyRunner>> takers = new ArrayList<>();
      takers.add(taker(fixture, DATA));
      fixture.awaitFigures(DATA, each -> each.waiting() == 1);
      takers.add(taker(fixture, PLAIN));
      fixture.awaitFigures(PLAIN, each -> each.waiting() == 1);

      fixture.pool.retire(holder);

      ReadyRunner next = takers.get(0).get();
      assertThat(next.id()).startsWith(DATA);
      assertThat(takers.get(1).isDone()).isFalse();
      fixture.pool.retire(next);
      assertThat(takers.get(1).get().id()).startsWith(PLAIN);
    }
  }

  private static FutureTask<ReadyRunner> taker(PoolFixture fixture, String profile) {
    FutureTask<ReadyRunner> task = new FutureTask<>(() -> fixture.take(profile));
    new Thread(task, "taker").start();
    return task;
  }
}
