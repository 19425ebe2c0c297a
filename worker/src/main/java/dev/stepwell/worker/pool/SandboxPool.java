package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.runner.RunnerStarter;
import dev.stepwell.worker.sandbox.SandboxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Started single-use sandboxes, ready to be taken. Thread-safe.
 *
 * <p>Takers never start or remove a sandbox. Creators, destroyers and a housekeeper do, threads of
 * the pool's own that live as long as it does; the {@link Ledger} tells them what to do. How many
 * sandboxes lie ready follows demand within each profile's bounds; all profiles share one bound,
 * and a taker who waits has an idle sandbox of another profile evicted if there is no room.
 */
public final class SandboxPool implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SandboxPool.class);

  /** For {@link #close()}: removing a container takes tenths of a second, even many at once. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final Ledger ledger;
  private final Housekeeper housekeeper;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final List<Thread> creators = new ArrayList<>();
  private final List<Thread> others = new ArrayList<>();

  private SandboxPool(Ledger ledger, Surroundings surroundings) {
    this.ledger = ledger;
    this.housekeeper = new Housekeeper(ledger, surroundings.alive(), closing);
  }

  /**
   * Makes a pool, and begins to fill it.
   *
   * @param starter starts what the pool keeps; called by the pool's creator threads only
   * @param profiles what can be taken; names must differ
   * @param settings the pool's bounds
   */
  public static SandboxPool start(
      RunnerStarter starter, Collection<PoolProfile> profiles, PoolSettings settings) {
    return start(starter, profiles, settings, Surroundings.real());
  }

  static SandboxPool start(
      RunnerStarter starter,
      Collection<PoolProfile> profiles,
      PoolSettings settings,
      Surroundings surroundings) {
    Ledger ledger = new Ledger(profiles, settings, surroundings);
    SandboxPool pool = new SandboxPool(ledger, surroundings);
    for (int i = 0; i < settings.creators(); i++) {
      Creator creator = new Creator(ledger, starter, settings.retry(), surroundings.nanoTime());
      pool.creators.add(thread("stepwell-pool-creator-" + i, creator));
    }
    for (int i = 0; i < settings.destroyers(); i++) {
      pool.others.add(thread("stepwell-pool-destroyer-" + i, new Destroyer(ledger)));
    }
    pool.others.add(thread("stepwell-pool-housekeeper", pool.housekeeper));
    pool.creators.forEach(Thread::start);
    pool.others.forEach(Thread::start);
    return pool;
  }

  /** A daemon: a backend that hangs must not keep a closed worker's process alive. */
  private static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Takes a sandbox, which is the caller's until it is given to {@link #retire}. Blocks while none
   * is idle; takers of a profile are served in the order they came.
   *
   * @param profile the profile's name
   * @param timeout how long to wait; zero takes an idle one or none. Asking a runner whether it is
   *     alive comes on top
   * @throws PoolExhaustedException if none became free in time
   * @throws PoolClosedException if the pool was closed, before or meanwhile
   * @throws SandboxException if none can be started for a reason that waiting does not mend
   * @throws InterruptedException if the thread was interrupted; it then holds none
   * @throws IllegalArgumentException if there is no such profile
   */
  public ReadyRunner take(String profile, Duration timeout)
      throws PoolException, SandboxException, InterruptedException {
    Waiter waiter = ledger.arrive(profile, timeout.toNanos());
    while (true) {
      ReadyRunner runner = ledger.acquire(waiter).runner();
      if (housekeeper.alive(runner)) {
        return runner;
      }
      ledger.retire(runner);
    }
  }

  /**
   * Has a taken sandbox destroyed, soon and on another thread. Never blocks. Idempotent; does
   * nothing once the pool has been closed, which destroys every sandbox anyway.
   */
  public void retire(ReadyRunner runner) {
    ledger.retire(runner);
  }

  /** The pool at this moment. Never blocks for long. */
  public PoolFigures figures() {
    return ledger.figures();
  }

  /** Closes the pool within 30 s; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /**
   * Refuses takers, destroys every sandbox, the taken ones included, and ends the pool's threads.
   * Idempotent. If the thread is interrupted it stops waiting, and the flag stays set.
   *
   * @param timeout how long to wait for all of it
   * @return what was left when the time was up; no sandbox if all went well
   */
  public PoolFigures close(Duration timeout) {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    closing.countDown();
    ledger.close();
    creators.forEach(Thread::interrupt);
    try {
      ledger.awaitEmpty(deadlineNs - System.nanoTime());
      // Not before: a sandbox may end with the thread that made it, uncleanly.
      ledger.abandon();
      join(deadlineNs);
    } catch (InterruptedException e) {
      ledger.abandon();
      Thread.currentThread().interrupt();
    }
    PoolFigures left = ledger.figures();
    if (left.sandboxes() > 0) {
      log.warn("closed with sandboxes left, for the reaper to remove: {}", left);
    }
    return left;
  }

  private void join(long deadlineNs) throws InterruptedException {
    List<Thread> all = new ArrayList<>(creators);
    all.addAll(others);
    for (Thread each : all) {
      // At least a moment: a thread that has been told to end needs one to do it.
      each.join(Math.max(1, Duration.ofNanos(deadlineNs - System.nanoTime()).toMillis()));
      if (each.isAlive()) {
        log.warn("{} has not ended in time", each.getName());
      }
    }
  }

  /** One round of the housekeeper's, for tests that move the clock. */
  void tidy() {
    housekeeper.tidy();
  }
}
