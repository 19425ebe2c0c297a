package dev.stepwell.worker.pool;

import static dev.stepwell.worker.pool.PoolFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.sandbox.SandboxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SandboxPoolTest {
  private static final String PLAIN = "plain";
  private static final String DATA = "data";

  @Test
  void minimum_liesReadyBeforeAnybodyTakes() {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 3, 5).start()) {
      fixture.awaitIdle(PLAIN, 3);
      assertThat(fixture.starter.sandboxes()).hasSize(3);
    }
  }

  @Test
  void take_givesTheOldestIdleSandbox_andItIsReplaced() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 2, 2).creators(1).start()) {
      fixture.awaitIdle(PLAIN, 2);

      ReadyRunner runner = fixture.take(PLAIN);

      assertThat(runner.id()).isEqualTo("plain-0");
      fixture.awaitIdle(PLAIN, 2);
      assertThat(fixture.figures(PLAIN).taken()).isEqualTo(1);
    }
  }

  @Test
  void startAndDestroy_happenOnThePoolsThreads() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 0, 0).start()) {
      ReadyRunner runner = fixture.take(PLAIN);
      fixture.pool.retire(runner);
      fixture.awaitFigures(PLAIN, each -> each.sandboxes() == 0);

      assertThat(fixture.starter.threads())
          .allSatisfy(each -> assertThat(each.getName()).startsWith("stepwell-pool-creator-"));
      Thread destroyer = Objects.requireNonNull(fixture.starter.sandboxOf(runner).destroyer());
      assertThat(destroyer.getName()).startsWith("stepwell-pool-destroyer-");
    }
  }

  @Test
  void retire_returnsBeforeTheSandboxIsGone_andIsIdempotent() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 0, 0).start()) {
      ReadyRunner runner = fixture.take(PLAIN);
      CountDownLatch destroyable = new CountDownLatch(1);
      fixture.starter.sandboxOf(runner).holdDestroyUntil(destroyable);

      fixture.pool.retire(runner);
      fixture.pool.retire(runner);

      assertThat(fixture.figures(PLAIN).destroying()).isEqualTo(1);
      destroyable.countDown();
      fixture.awaitFigures(PLAIN, each -> each.sandboxes() == 0);
      fixture.pool.retire(runner);
      assertThat(fixture.starter.sandboxOf(runner).destroys()).isEqualTo(1);
    }
  }

  @Test
  void sandboxThatCantBeDestroyed_isCountedOutAndLeftToTheReaper() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 0, 0).maxSandboxes(1).start()) {
      ReadyRunner runner = fixture.take(PLAIN);
      fixture.starter.sandboxOf(runner).failDestroy(new IllegalStateException("busy"));

      fixture.pool.retire(runner);

      assertThat(fixture.take(PLAIN)).isNotSameAs(runner);
    }
  }

  @Test
  void unknownProfile_isRefused() {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 0, 0).start()) {
      assertThatThrownBy(() -> fixture.take("palin"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("palin")
          .hasMessageContaining("[plain]");
    }
  }

  @Test
  void twoProfilesOfOneName_areRefused() {
    PoolFixture.Builder builder = PoolFixture.builder().profile(PLAIN, 0, 0).profile(PLAIN, 1, 1);

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(PLAIN);
  }

  @Test
  void exhaustedPool_saysItsFigures() {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 1, 4).starter(FakeStarter::hold).start()) {
      fixture.awaitFigures(PLAIN, each -> each.starting() == 1);

      assertThatThrownBy(() -> fixture.pool.take(PLAIN, Duration.ofMillis(1)))
          .isInstanceOfSatisfying(
              PoolExhaustedException.class,
              e -> assertThat(e.figures().profiles()).containsKey(PLAIN))
          .hasNoCause()
          .hasMessageContaining("no sandbox of profile plain within 1 ms")
          .hasMessageContaining("idle 0 of 1 wanted")
          .hasMessageContaining("at most 100");
      assertThat(fixture.figures(PLAIN).waiting()).isZero();
    }
  }

  @Test
  void exhaustedPool_namesTheNewestFailureAsItsCause() {
    SandboxException failure = SandboxException.passing("engine restarts", null);
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 1, 1)
            .starter(starter -> starter.breakProfile(PLAIN, failure))
            .start()) {
      fixture.awaitFigures(PLAIN, each -> each.failed() == 1);

      assertThatThrownBy(() -> fixture.pool.take(PLAIN, Duration.ZERO))
          .isInstanceOf(PoolExhaustedException.class)
          .hasMessageContaining("could not be started: engine restarts")
          .hasCause(failure);
    }
  }

  @Test
  void passingFailure_isTriedAgainBehindTheTakersBack() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 0, 0)
            .retry(3, Duration.ofMillis(1))
            .starter(
                starter -> {
                  starter.failNext(SandboxException.passing("first", null));
                  starter.failNext(SandboxException.passing("second", null));
                })
            .start()) {
      assertThat(fixture.take(PLAIN)).isNotNull();
      assertThat(fixture.starter.attempts()).isEqualTo(3);
      assertThat(fixture.figures(PLAIN).failed()).isZero();
    }
  }

  @Test
  void takers_waitThroughAPassingFailuresPause() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 0, 0)
            .starter(starter -> starter.failNext(SandboxException.passing("busy", null)))
            .start()) {
      FutureTask<ReadyRunner> taker = taker(fixture, PLAIN);
      fixture.awaitFigures(PLAIN, each -> each.failed() == 1);
      assertThat(fixture.figures(PLAIN).waiting()).isEqualTo(1);

      fixture.advance(Duration.ofSeconds(5));

      assertThat(taker.get()).isNotNull();
    }
  }

  @Test
  void permanentFailure_reachesEveryWaitingTakerAtOnce_andIsNotTriedAgainInOneGo() {
    SandboxException failure = SandboxException.permanent("no such image", null);
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 0, 0)
            .creators(1)
            .retry(3, Duration.ofMillis(1))
            .starter(
                starter -> {
                  starter.hold();
                  starter.breakProfile(PLAIN, failure);
                })
            .start()) {
      FutureTask<ReadyRunner> first = taker(fixture, PLAIN);
      FutureTask<ReadyRunner> second = taker(fixture, PLAIN);
      fixture.awaitFigures(PLAIN, each -> each.waiting() == 2);

      fixture.starter.letStart(1);

      for (FutureTask<ReadyRunner> each : List.of(first, second)) {
        assertThatThrownBy(each::get)
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOf(SandboxException.class)
            .hasMessageContaining("plain")
            .hasMessageContaining("no such image")
            .hasCause(failure);
      }
      assertThat(fixture.starter.attempts()).isEqualTo(1);
    }
  }

  @Test
  void afterAPermanentFailure_takersFailAtOnceUntilThePauseIsOver() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 1, 1)
            .profile(DATA, 1, 1)
            .starter(
                starter ->
                    starter.breakProfile(PLAIN, SandboxException.permanent("no image", null)))
            .start()) {
      fixture.awaitFigures(PLAIN, each -> each.failed() == 1);
      assertThatThrownBy(() -> fixture.take(PLAIN)).isInstanceOf(SandboxException.class);
      assertThat(fixture.take(DATA)).isNotNull();
      fixture.starter.mend(PLAIN);
      fixture.advance(Duration.ofMillis(4_999));
      assertThatThrownBy(() -> fixture.take(PLAIN)).isInstanceOf(SandboxException.class);
      assertThat(fixture.figures(PLAIN).created()).isZero();

      fixture.advance(Duration.ofMillis(1));

      assertThat(fixture.take(PLAIN)).isNotNull();
    }
  }

  @Test
  void unexpectedFailure_doesNotEndTheCreator() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 1, 1)
            .creators(1)
            .starter(starter -> starter.breakProfile(PLAIN, new IllegalStateException("bug")))
            .start()) {
      fixture.awaitFigures(PLAIN, each -> each.failed() == 1);
      assertThatThrownBy(() -> fixture.take(PLAIN))
          .isInstanceOf(SandboxException.class)
          .hasRootCauseMessage("bug");
      fixture.starter.mend(PLAIN);

      fixture.advance(Duration.ofSeconds(5));

      fixture.awaitIdle(PLAIN, 1);
      assertThat(fixture.starter.threads()).hasSize(1);
    }
  }

  @Test
  void takers_areServedInTheOrderTheyCame() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 0, 0).creators(1).starter(FakeStarter::hold).start()) {
      List<FutureTask<ReadyRunner>> takers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        takers.add(taker(fixture, PLAIN));
        int waiting = i + 1;
        fixture.awaitFigures(PLAIN, each -> each.waiting() == waiting);
      }

      fixture.starter.letStart(5);

      for (int i = 0; i < 5; i++) {
        assertThat(takers.get(i).get().id()).isEqualTo("plain-" + i);
      }
    }
  }

  @Test
  void interruptedTaker_leavesTheQueue_andTheNextIsServed() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 0, 0).starter(FakeStarter::hold).start()) {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread first =
          new Thread(
              () -> {
                try {
                  fixture.take(PLAIN);
                } catch (Exception e) {
                  thrown.complete(e);
                }
              });
      first.start();
      fixture.awaitFigures(PLAIN, each -> each.waiting() == 1);
      FutureTask<ReadyRunner> second = taker(fixture, PLAIN);
      fixture.awaitFigures(PLAIN, each -> each.waiting() == 2);

      first.interrupt();

      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
      fixture.starter.letStart(2);
      assertThat(second.get()).isNotNull();
    }
  }

  @Test
  void deadIdleSandbox_isNeverHandedOut() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 2, 2).creators(1).start()) {
      fixture.awaitIdle(PLAIN, 2);
      fixture.starter.sandboxes().get(0).die();

      assertThat(fixture.take(PLAIN).id()).isEqualTo("plain-1");
      eventually().until(() -> fixture.starter.sandboxes().get(0).destroys() == 1);
    }
  }

  @Test
  void takerWhoFindsOnlyDeadSandboxes_getsAFreshOne() throws Exception {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 2, 2).start()) {
      fixture.awaitIdle(PLAIN, 2);
      fixture.starter.sandboxes().forEach(FakeSandbox::die);

      ReadyRunner runner = fixture.take(PLAIN);

      assertThat(fixture.starter.alive(runner)).isTrue();
    }
  }

  @Test
  void deadIdleSandbox_isReplacedWithoutATaker() {
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 1, 1).start()) {
      fixture.awaitIdle(PLAIN, 1);
      fixture.starter.sandboxes().get(0).die();

      fixture.advance(Duration.ofSeconds(10));

      eventually().until(() -> fixture.starter.sandboxes().size() == 2);
      eventually().until(() -> fixture.starter.living() == 1);
    }
  }

  @Test
  void idleSandboxes_areAskedWhetherTheyLive_butNotAllTheTime() {
    AtomicInteger asked = new AtomicInteger();
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 2, 2)
            .alive(runner -> asked.incrementAndGet() > 0)
            .start()) {
      fixture.awaitIdle(PLAIN, 2);
      fixture.advance(Duration.ofSeconds(9));
      assertThat(asked).hasValue(0);

      fixture.advance(Duration.ofSeconds(1));
      eventually().until(() -> asked.get() == 2);
      fixture.awaitIdle(PLAIN, 2);
      fixture.pool.tidy();
      assertThat(asked).hasValue(2);
    }
  }

  @Test
  void sandboxThatCantBeAsked_countsAsDead() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 0, 0)
            .creators(1)
            .alive(
                runner -> {
                  if (runner.id().equals("plain-0")) {
                    throw new IllegalStateException("no answer");
                  }
                  return true;
                })
            .start()) {
      assertThat(fixture.take(PLAIN).id()).isEqualTo("plain-1");
    }
  }

  private static FutureTask<ReadyRunner> taker(PoolFixture fixture, String profile) {
    FutureTask<ReadyRunner> task = new FutureTask<>(() -> fixture.take(profile));
    new Thread(task, "taker").start();
    return task;
  }
}
