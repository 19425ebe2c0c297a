package dev.stepwell.worker.pool;

import static dev.stepwell.worker.pool.PoolFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.sandbox.SandboxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class SandboxPoolCloseTest {
  private static final String PLAIN = "plain";

  @Test
  void close_destroysIdleAndTakenSandboxesOnce_andEndsTheThreads() throws Exception {
    PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 3, 3).start();
    fixture.awaitIdle(PLAIN, 3);
    ReadyRunner taken = fixture.take(PLAIN);

    PoolFigures left = fixture.pool.close(PoolFixture.LONG);

    assertThat(left.sandboxes()).isZero();
    assertThat(fixture.starter.sandboxes()).allSatisfy(e -> assertThat(e.destroys()).isOne());
    assertThat(fixture.starter.threads()).noneMatch(Thread::isAlive);
    fixture.pool.retire(taken);
    fixture.pool.close();
    assertThat(fixture.starter.sandboxOf(taken).destroys()).isOne();
  }

  @Test
  void close_refusesTakersAndWakesThoseWhoWait() throws Exception {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 0, 0).starter(FakeStarter::hold).start()) {
      List<FutureTask<ReadyRunner>> takers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        FutureTask<ReadyRunner> task = new FutureTask<>(() -> fixture.take(PLAIN));
        new Thread(task, "taker").start();
        takers.add(task);
      }
      fixture.awaitFigures(PLAIN, each -> each.waiting() == 4);

      fixture.pool.close(PoolFixture.LONG);

      for (FutureTask<ReadyRunner> each : takers) {
        assertThatThrownBy(each::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(PoolClosedException.class);
      }
      assertThatThrownBy(() -> fixture.take(PLAIN)).isInstanceOf(PoolClosedException.class);
    }
  }

  @Test
  void close_interruptsWhatIsBeingStarted() {
    try (PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 2, 2).starter(FakeStarter::hold).start()) {
      fixture.awaitFigures(PLAIN, each -> each.starting() == 2);

      assertThat(fixture.pool.close(PoolFixture.LONG).sandboxes()).isZero();

      assertThat(fixture.starter.sandboxes()).isEmpty();
    }
  }

  @Test
  void close_doesNotWaitForARetrysPause() {
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 1, 1)
            .retry(10, Duration.ofMinutes(1))
            .starter(starter -> starter.breakProfile(PLAIN, SandboxException.passing("busy", null)))
            .start()) {
      eventually().until(() -> fixture.starter.attempts() == 1);

      assertThat(fixture.pool.close(PoolFixture.LONG).sandboxes()).isZero();

      assertThat(fixture.starter.attempts()).isEqualTo(1);
      assertThat(fixture.starter.threads()).noneMatch(Thread::isAlive);
    }
  }

  @Test
  void sandboxThatArrivesAfterClose_isDestroyed() throws Exception {
    CountDownLatch arriving = new CountDownLatch(1);
    try (PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 1, 1)
            .starter(starter -> starter.meanwhile(() -> awaitUninterruptibly(arriving)))
            .start()) {
      fixture.awaitFigures(PLAIN, each -> each.starting() == 1);
      FutureTask<PoolFigures> close = new FutureTask<>(() -> fixture.pool.close(PoolFixture.LONG));
      new Thread(close).start();
      eventually().until(() -> refuses(fixture));

      arriving.countDown();

      assertThat(close.get().sandboxes()).isZero();
      assertThat(fixture.starter.sandboxes()).hasSize(1);
      assertThat(fixture.starter.living()).isZero();
    }
  }

  @Test
  void creators_liveUntilTheirLastSandboxIsGone() throws Exception {
    CountDownLatch destroyable = new CountDownLatch(1);
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 1, 1).creators(1).start()) {
      fixture.awaitIdle(PLAIN, 1);
      fixture.starter.sandboxes().get(0).holdDestroyUntil(destroyable);
      FutureTask<PoolFigures> close = new FutureTask<>(() -> fixture.pool.close(PoolFixture.LONG));
      new Thread(close).start();
      fixture.awaitFigures(PLAIN, each -> each.destroying() == 1);
      eventually().until(() -> fixture.starter.sandboxes().get(0).destroyer() != null);

      assertThat(fixture.starter.threads()).hasSize(1).allMatch(Thread::isAlive);

      destroyable.countDown();
      close.get();
      assertThat(fixture.starter.threads()).noneMatch(Thread::isAlive);
    }
  }

  @Test
  void closeWhoseTimeIsUp_reportsWhatIsLeft_andItIsStillDestroyedLater() {
    CountDownLatch destroyable = new CountDownLatch(1);
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 2, 2).start()) {
      fixture.awaitIdle(PLAIN, 2);
      fixture.starter.sandboxes().forEach(each -> each.holdDestroyUntil(destroyable));

      PoolFigures left = fixture.pool.close(Duration.ofMillis(20));

      assertThat(left.sandboxes()).isEqualTo(2);
      assertThat(left.toString()).contains("destroying 2");
      destroyable.countDown();
      eventually().until(() -> fixture.starter.living() == 0);
      assertThat(fixture.pool.close(PoolFixture.LONG).sandboxes()).isZero();
    }
  }

  @Test
  void interruptedClose_stopsWaitingAndKeepsTheFlag() {
    CountDownLatch destroyable = new CountDownLatch(1);
    try (PoolFixture fixture = PoolFixture.builder().profile(PLAIN, 1, 1).start()) {
      fixture.awaitIdle(PLAIN, 1);
      fixture.starter.sandboxes().get(0).holdDestroyUntil(destroyable);
      Thread.currentThread().interrupt();

      PoolFigures left = fixture.pool.close(PoolFixture.LONG);

      assertThat(Thread.interrupted()).isTrue();
      assertThat(left.sandboxes()).isEqualTo(1);
      destroyable.countDown();
    }
  }

  private static boolean refuses(PoolFixture fixture) throws Exception {
    try {
      fixture.pool.take(PLAIN, Duration.ZERO);
      return false;
    } catch (PoolClosedException e) {
      return true;
    } catch (PoolExhaustedException e) {
      return false;
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
