package dev.stepwell.worker.pool;

import static dev.stepwell.worker.pool.PoolFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.runner.ReadyRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SandboxPoolRaceTest {
  private static final String PLAIN = "plain";
  private static final String DATA = "data";
  private static final int TAKERS = 8;
  private static final int TAKES = 300;

  private final Set<String> handedOut = ConcurrentHashMap.newKeySet();
  private final AtomicInteger takes = new AtomicInteger();

  @Test
  void manyTakers_neverShareASandbox_norExceedTheBound_andNoneIsLeft() throws Exception {
    PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 2, 6)
            .profile(DATA, 0, 2)
            .maxSandboxes(10)
            .creators(4)
            .start();
    AtomicInteger most = new AtomicInteger();
    List<FutureTask<Void>> takers = new ArrayList<>();
    for (int i = 0; i < TAKERS; i++) {
      String profile = i % 4 == 0 ? DATA : PLAIN;
      takers.add(
          run(
              () -> {
                for (int j = 0; j < TAKES; j++) {
                  use(fixture, fixture.take(profile));
                  most.accumulateAndGet(fixture.starter.living(), Math::max);
                }
              }));
    }
    finish(takers);

    assertThat(takes).hasValue(TAKERS * TAKES);
    assertThat(handedOut).hasSize(TAKERS * TAKES);
    assertThat(most.get()).isLessThanOrEqualTo(10);
    assertNothingIsLeft(fixture);
  }

  @Test
  void takersRacingExpiryAndDeath_getLivingSandboxesOnly() throws Exception {
    PoolFixture fixture =
        PoolFixture.builder()
            .profile(PLAIN, 4, 8)
            .creators(4)
            .idleLifetime(Duration.ofMillis(10))
            .start();
    AtomicBoolean over = new AtomicBoolean();
    Random random = new Random(4711);
    FutureTask<Void> time =
        run(
            () -> {
              while (!over.get()) {
                fixture.advance(Duration.ofMillis(5));
                List<FakeSandbox> all = fixture.starter.sandboxes();
                if (!all.isEmpty()) {
                  all.get(random.nextInt(all.size())).die();
                }
              }
            });
    List<FutureTask<Void>> takers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      takers.add(
          run(
              () -> {
                for (int j = 0; j < TAKES; j++) {
                  ReadyRunner runner = fixture.take(PLAIN);
                  assertThat(fixture.starter.sandboxOf(runner).destroys()).isZero();
                  use(fixture, runner);
                }
              }));
    }
    finish(takers);
    over.set(true);
    time.get();

    assertThat(handedOut).hasSize(4 * TAKES);
    assertNothingIsLeft(fixture);
  }

  @Test
  void interruptedTakers_loseNoSandbox() throws Exception {
    PoolFixture fixture =
        PoolFixture.builder().profile(PLAIN, 0, 2).maxSandboxes(4).creators(2).start();
    AtomicInteger interrupted = new AtomicInteger();
    for (int round = 0; round < 200; round++) {
      CyclicBarrier together = new CyclicBarrier(2);
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                together.await();
                try {
                  use(fixture, fixture.take(PLAIN));
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
                return null;
              });
      Thread taker = new Thread(task, "taker");
      taker.start();
      together.await();
      if (round % 2 == 0) {
        eventually().until(() -> fixture.figures(PLAIN).waiting() == 1 || task.isDone());
      }
      taker.interrupt();
      task.get();
    }

    assertThat(interrupted.get() + takes.get()).isEqualTo(200);
    fixture.awaitFigures(PLAIN, each -> each.taken() == 0);
    for (int i = 0; i < 4; i++) {
      fixture.take(PLAIN);
    }
    assertNothingIsLeft(fixture);
  }

  @Test
  void closeRacingTakers_leavesNothing_andEveryTakerHears() throws Exception {
    for (int round = 0; round < 50; round++) {
      PoolFixture fixture =
          PoolFixture.builder().profile(PLAIN, 2, 4).maxSandboxes(6).creators(2).start();
      CyclicBarrier together = new CyclicBarrier(5);
      List<FutureTask<Void>> takers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        takers.add(
            run(
                () -> {
                  together.await();
                  try {
                    while (true) {
                      use(fixture, fixture.take(PLAIN));
                    }
                  } catch (PoolClosedException e) {
                    assertThat(e).hasMessageContaining("closed");
                  }
                }));
      }
      together.await();
      assertNothingIsLeft(fixture);
      finish(takers);
    }
    assertThat(handedOut).hasSizeLessThanOrEqualTo(takes.get());
  }

  private void use(PoolFixture fixture, ReadyRunner runner) {
    takes.incrementAndGet();
    // The same id twice in one pool would be a sandbox given to two takers.
    handedOut.add(System.identityHashCode(fixture) + " " + runner.id());
    fixture.pool.retire(runner);
  }

  private static void assertNothingIsLeft(PoolFixture fixture) {
    assertThat(fixture.pool.close(PoolFixture.LONG).sandboxes()).isZero();
    assertThat(fixture.starter.sandboxes())
        .allSatisfy(each -> assertThat(each.destroys()).isEqualTo(1));
    assertThat(fixture.starter.threads()).noneMatch(Thread::isAlive);
  }

  private interface Task {
    void run() throws Exception;
  }

  private static FutureTask<Void> run(Task task) {
    FutureTask<Void> future =
        new FutureTask<>(
            () -> {
              task.run();
              return null;
            });
    new Thread(future).start();
    return future;
  }

  private static void finish(List<FutureTask<Void>> tasks)
      throws InterruptedException, ExecutionException {
    for (FutureTask<Void> each : tasks) {
      each.get();
    }
  }
}
