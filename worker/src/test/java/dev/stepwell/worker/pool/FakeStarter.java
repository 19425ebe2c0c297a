package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.runner.RunnerStarter;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts fake sandboxes, as quickly and as well as a test says. Thread-safe. */
final class FakeStarter implements RunnerStarter {
  /** More than any test starts. */
  private static final int UNLIMITED = 1_000_000_000;

  private final Semaphore permits = new Semaphore(UNLIMITED);
  private final Map<String, Exception> broken = new ConcurrentHashMap<>();
  private final Queue<SandboxException> failures = new ConcurrentLinkedQueue<>();
  private final Map<ReadyRunner, FakeSandbox> made = new ConcurrentHashMap<>();
  private final Queue<FakeSandbox> inOrder = new ConcurrentLinkedQueue<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger serial = new AtomicInteger();
  private final AtomicInteger living = new AtomicInteger();
  private volatile Runnable meanwhile = () -> {};

  /** Every start blocks, until {@link #letStart}. */
  void hold() {
    permits.drainPermits();
  }

  void letStart(int count) {
    permits.release(count);
  }

  /** Every start of the profile fails so, until {@link #mend}. Unchecked ones are thrown too. */
  void breakProfile(String profile, Exception failure) {
    broken.put(profile, failure);
  }

  void mend(String profile) {
    broken.remove(profile);
  }

  /** The next start fails so. */
  void failNext(SandboxException failure) {
    failures.add(failure);
  }

  /** Runs on the starting thread during every start. */
  void meanwhile(Runnable action) {
    meanwhile = action;
  }

  @Override
  public ReadyRunner start(Profile profile) throws SandboxException, InterruptedException {
    attempts.incrementAndGet();
    threads.add(Thread.currentThread());
    permits.acquire();
    meanwhile.run();
    Exception failure = broken.get(profile.name());
    if (failure == null) {
      failure = failures.poll();
    }
    if (failure instanceof SandboxException expected) {
      throw expected;
    } else if (failure instanceof RuntimeException unexpected) {
      throw unexpected;
    }
    String id = profile.name() + "-" + serial.getAndIncrement();
    FakeSandbox sandbox = new FakeSandbox(id, living);
    ReadyRunner runner = new ReadyRunner(sandbox);
    made.put(runner, sandbox);
    inOrder.add(sandbox);
    return runner;
  }

  boolean alive(ReadyRunner runner) {
    return sandboxOf(runner).alive();
  }

  FakeSandbox sandboxOf(ReadyRunner runner) {
    return Objects.requireNonNull(made.get(runner));
  }

  /** All ever started, in that order. */
  List<FakeSandbox> sandboxes() {
    return List.copyOf(inOrder);
  }

  int attempts() {
    return attempts.get();
  }

  Set<Thread> threads() {
    return Set.copyOf(threads);
  }

  /** How many are started and not destroyed, at one moment. */
  int living() {
    return living.get();
  }
}
