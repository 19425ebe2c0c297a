package dev.stepwell.worker.pool;

import static dev.stepwell.worker.pool.PoolFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.runner.ReadyRunner;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final String PLAIN = "plain";

  /** Runs once, with the ledger's lock held, when the ledger next asks for the time. */
  private final AtomicReference<Runnable> underLock = new AtomicReference<>(() -> {});

  private final Ledger ledger =
      new Ledger(
          List.of(new PoolProfile(PoolFixture.profile(PLAIN), 0, 4)),
          new PoolSettings(4, 1, 1, 0, new PoolSettings.Retry(1, 1, 1)),
          new Surroundings(
              () -> {
                underLock.getAndSet(() -> {}).run();
                return 0;
              },
              () -> 0,
              runner -> true));

  @Test
  void sandboxGivenToATakerWhoWasJustInterrupted_becomesIdle() {
    FutureTask<Entry> taker = new FutureTask<>(this::acquire);
    Thread thread = start(taker);
    Entry entry = created();
    interruptWhileGiving(thread, entry);

    assertThatThrownBy(taker::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(figures().idle()).isEqualTo(1);
    assertThat(figures().taken()).isZero();
  }

  @Test
  void sandboxGivenToATakerWhoWasJustInterrupted_servesTheNextTaker() throws Exception {
    FutureTask<Entry> first = new FutureTask<>(this::acquire);
    Thread thread = start(first);
    FutureTask<Entry> second = new FutureTask<>(this::acquire);
    start(second);
    Entry entry = created();
    interruptWhileGiving(thread, entry);

    assertThat(second.get()).isSameAs(entry);
    assertThat(figures().taken()).isEqualTo(1);
  }

  @Test
  void reservedSandbox_isKeptFromTakersUntilItIsReleased() throws Exception {
    FutureTask<Entry> first = new FutureTask<>(this::acquire);
    start(first);
    Entry entry = created();
    FutureTask<Entry> other = new FutureTask<>(this::acquire);
    start(other);
    Entry spare = created();
    ledger.started(entry, runner("a"), 1);
    ledger.started(spare, runner("b"), 1);
    first.get();
    other.get();
    Entry idle = idle();

    assertThat(ledger.reserve(idle)).isTrue();
    assertThat(ledger.reserve(idle)).isFalse();
    FutureTask<Entry> taker = new FutureTask<>(this::acquire);
    start(taker);
    assertThat(figures().idle()).isEqualTo(1);
    assertThat(taker.isDone()).isFalse();
    ledger.release(idle, true);

    assertThat(taker.get()).isSameAs(idle);
  }

  private Entry acquire() throws Exception {
    return ledger.acquire(ledger.arrive(PLAIN, PoolFixture.LONG.toNanos()));
  }

  /** An idle entry: one that an interrupted taker left. */
  private Entry idle() {
    FutureTask<Entry> taker = new FutureTask<>(this::acquire);
    Thread thread = start(taker);
    Entry entry = created();
    interruptWhileGiving(thread, entry);
    eventually().until(() -> figures().idle() == 1);
    return entry;
  }

  /** The lock is held while the taker wakes, so it leaves the queue only after it was given one. */
  private void interruptWhileGiving(Thread taker, Entry entry) {
    underLock.set(
        () -> {
          taker.interrupt();
          // It waits with a time limit for an answer, and without one for the lock.
          eventually().until(() -> taker.getState() == Thread.State.WAITING);
        });
    ledger.started(entry, runner("given"), 1);
  }

  private Thread start(FutureTask<Entry> taker) {
    int before = figures().waiting();
    Thread thread = new Thread(taker, "taker");
    thread.start();
    eventually().until(() -> figures().waiting() == before + 1);
    eventually().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private Entry created() {
    return Objects.requireNonNull(ledger.nextCreation());
  }

  private PoolFigures.OfProfile figures() {
    return Objects.requireNonNull(ledger.figures().profiles().get(PLAIN));
  }

  private static ReadyRunner runner(String id) {
    return new ReadyRunner(new FakeSandbox(id));
  }
}
