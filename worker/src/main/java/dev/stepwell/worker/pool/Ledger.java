package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.sandbox.SandboxException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pool's books: every sandbox, every taker, and what is to be done next. Thread-safe.
 *
 * <p>One lock guards all of it, and {@link Shelf}, {@link Entry}, {@link Waiter}, {@link Demand}
 * and {@link Circuit} with it. Nothing is done under the lock but bookkeeping: sandboxes are
 * started, looked at and removed by the threads that ask here what to do.
 */
final class Ledger {
  /** How much earlier than its lifetime a sandbox may expire, so that not all do together. */
  private static final double LIFETIME_VARIANCE = 0.025;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition rubbish = lock.newCondition();
  private final Condition emptied = lock.newCondition();

  private final PoolSettings settings;
  private final Surroundings surroundings;
  private final Shelves shelves;
  private final Map<ReadyRunner, Entry> taken = new HashMap<>();
  private final Deque<Entry> condemned = new ArrayDeque<>();
  private long nextTicket;
  private long nextSerial;
  private boolean closed;
  private boolean abandoned;

  Ledger(Collection<PoolProfile> profiles, PoolSettings settings, Surroundings surroundings) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.shelves = new Shelves(settings.maxSandboxes());
    long pauseNs = TimeUnit.MILLISECONDS.toNanos(settings.retry().pauseMs());
    for (PoolProfile each : profiles) {
      shelves.add(new Shelf(each, pauseNs, now()));
    }
  }

  // --- takers ---

  /**
   * Gives a taker its place in the order of arrival.
   *
   * @throws IllegalArgumentException if there is no such profile
   */
  Waiter arrive(String profile, long timeoutNs) {
    Shelf shelf = shelves.get(profile);
    lock.lock();
    try {
      shelf.demand().arrived(now());
      return new Waiter(shelf, nextTicket++, timeoutNs, lock.newCondition());
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a sandbox. Whatever it throws, the taker holds none. */
  Entry acquire(Waiter waiter) throws PoolException, SandboxException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refuseIfClosed(waiter.shelf());
      Entry idle = waiter.shelf().takeIdle(now());
      Entry entry = idle == null ? queue(waiter) : idle;
      taken.put(entry.runner(), entry);
      work.signal();
      return entry;
    } finally {
      lock.unlock();
    }
  }

  private Entry queue(Waiter waiter) throws PoolException, SandboxException, InterruptedException {
    Shelf shelf = waiter.shelf();
    refuse(shelf.circuit().permanentFailure(now()), shelf);
    shelf.enqueue(waiter);
    work.signal();
    try {
      waiter.await();
      refuseIfClosed(shelf);
      refuse(waiter.failure(), shelf);
      Entry given = waiter.collect();
      if (given == null) {
        throw new PoolExhaustedException(
            shelf.profile().name(),
            waiter.timeoutNs(),
            shelves.figures(now()),
            shelf.circuit().failure());
      }
      return given;
    } finally {
      shelf.leave(waiter);
      putBack(waiter.collect());
    }
  }

  /** What was given to a taker who is no longer there serves the next one. */
  private void putBack(@Nullable Entry given) {
    if (given != null && given.state() == EntryState.TAKEN) {
      given.shelf().offer(given, now());
    }
  }

  private void refuseIfClosed(Shelf shelf) throws PoolClosedException {
    if (closed) {
      throw new PoolClosedException(shelf.profile().name());
    }
  }

  /** Thrown anew, so that its stack is the taker's. */
  private static void refuse(@Nullable SandboxException failure, Shelf shelf)
      throws SandboxException {
    if (failure != null) {
      throw SandboxException.permanent(
          "no sandbox of profile %s can be started: %s"
              .formatted(shelf.profile().name(), failure.getMessage()),
          failure);
    }
  }

  /** Has a taken runner destroyed; does nothing if that has been asked for before. */
  void retire(ReadyRunner runner) {
    lock.lock();
    try {
      Entry entry = taken.get(runner);
      if (entry != null) {
        condemn(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  // --- creators ---

  /** Waits for a sandbox to start; null when the thread shall end. Can't be interrupted. */
  @Nullable Entry nextCreation() {
    lock.lock();
    try {
      while (!over() && !abandoned) {
        Entry entry = closed ? null : begin();
        if (entry != null) {
          // There may be work for another creator too; each wakes the next.
          work.signal();
          return entry;
        }
        work.awaitUninterruptibly();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Entry begin() {
    long nowNs = now();
    Shelf neediest = shelves.neediest(nowNs);
    if (neediest == null) {
      return null;
    }
    if (shelves.full()) {
      for (Entry each = shelves.victim(nowNs); each != null; each = shelves.victim(nowNs)) {
        condemn(each);
      }
      return null;
    }
    return neediest.add(nextSerial++, nowNs);
  }

  /** Takes a started sandbox in, if only to have it destroyed because the pool has closed. */
  void started(Entry entry, ReadyRunner runner, long tookNs) {
    lock.lock();
    try {
      long nowNs = now();
      entry.startedAs(runner, expiryNs(nowNs));
      entry.shelf().countCreated(tookNs);
      if (closed) {
        condemn(entry);
      } else {
        entry.shelf().offer(entry, nowNs);
      }
    } finally {
      lock.unlock();
    }
  }

  void failed(Entry entry, SandboxException failure) {
    lock.lock();
    try {
      entry.shelf().move(entry, EntryState.GONE, now());
      entry.shelf().countFailed(failure, now());
      settle();
    } finally {
      lock.unlock();
    }
  }

  private long expiryNs(long nowNs) {
    if (settings.idleLifetimeMs() == 0) {
      return Shelf.NEVER;
    }
    double share = 1 - LIFETIME_VARIANCE * surroundings.random().getAsDouble();
    return nowNs + (long) (TimeUnit.MILLISECONDS.toNanos(settings.idleLifetimeMs()) * share);
  }

  // --- destroyers ---

  /**
   * Waits for a sandbox to destroy; null when the thread shall end, which is not before the last
   * one has gone. Can't be interrupted.
   */
  @Nullable Entry nextDestruction() {
    lock.lock();
    try {
      while (condemned.isEmpty()) {
        if (over()) {
          return null;
        }
        rubbish.awaitUninterruptibly();
      }
      return condemned.remove();
    } finally {
      lock.unlock();
    }
  }

  void gone(Entry entry) {
    lock.lock();
    try {
      entry.shelf().move(entry, EntryState.GONE, now());
      settle();
    } finally {
      lock.unlock();
    }
  }

  // --- the housekeeper ---

  /** The idle sandboxes that are due to be looked at, oldest first. */
  List<Entry> due() {
    lock.lock();
    try {
      List<Entry> due = new ArrayList<>();
      shelves.all().forEach(each -> due.addAll(each.due(now())));
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps takers away from an idle sandbox; false if it is not idle any more. */
  boolean reserve(Entry entry) {
    lock.lock();
    try {
      if (entry.state() != EntryState.IDLE) {
        return false;
      }
      entry.shelf().move(entry, EntryState.RESERVED, now());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a reserved sandbox back, unless it is dead, expired, or no longer needed. */
  void release(Entry entry, boolean alive) {
    lock.lock();
    try {
      long nowNs = now();
      if (closed || !alive || entry.shelf().dispensable(entry, nowNs)) {
        condemn(entry);
      } else {
        entry.shelf().offer(entry, nowNs);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes creators look again: time may have opened a circuit. */
  void wakeCreators() {
    lock.lock();
    try {
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  // --- closing ---

  /** Refuses and wakes takers, and condemns every sandbox, the taken ones included. Idempotent. */
  void close() {
    lock.lock();
    try {
      closed = true;
      for (Shelf shelf : shelves.all()) {
        shelf.dismissWaiters();
        shelf.entries().stream()
            .filter(each -> each.state() == EntryState.IDLE || each.state() == EntryState.TAKEN)
            .forEach(this::condemn);
      }
      settle();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no sandbox is left; false if the time is up before. */
  boolean awaitEmpty(long timeoutNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long remainingNs = timeoutNs;
      while (shelves.size() > 0) {
        if (remainingNs <= 0) {
          return false;
        }
        remainingNs = emptied.awaitNanos(remainingNs);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the creators go, though sandboxes may be left. */
  void abandon() {
    lock.lock();
    try {
      abandoned = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  PoolFigures figures() {
    lock.lock();
    try {
      return shelves.figures(now());
    } finally {
      lock.unlock();
    }
  }

  // --- with the lock held ---

  private void condemn(Entry entry) {
    taken.remove(entry.runner());
    entry.shelf().move(entry, EntryState.DESTROYING, now());
    condemned.add(entry);
    rubbish.signal();
    work.signal();
  }

  /** Wakes whom it may concern that a place has become free, or that all is over. */
  private void settle() {
    work.signal();
    if (shelves.size() == 0) {
      emptied.signalAll();
    }
    if (over()) {
      work.signalAll();
      rubbish.signalAll();
    }
  }

  private boolean over() {
    return closed && shelves.size() == 0;
  }

  private long now() {
    return surroundings.nanoTime().getAsLong();
  }
}
