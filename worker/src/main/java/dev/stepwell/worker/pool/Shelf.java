package dev.stepwell.worker.pool;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One profile's sandboxes and takers. Guarded by the {@link Ledger}'s lock.
 *
 * <p>A sandbox that becomes idle goes to the first waiting taker at once: while takers wait, none
 * is idle.
 */
final class Shelf {
  /** The expiry of what does not expire. */
  static final long NEVER = Long.MAX_VALUE;

  /** An idle one over what demand asks for is kept for so long: demand may come back. */
  private static final long SURPLUS_KEPT_NS = TimeUnit.SECONDS.toNanos(30);

  /** Asking a runner wakes it, so an idle pool must not ask all the time. */
  private static final long EXAMINATION_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

  private final PoolProfile pooled;
  private final Demand demand;
  private final Circuit circuit;

  /** Whatever is not gone. */
  private final Set<Entry> entries = new HashSet<>();

  private final Map<EntryState, Integer> counts = new EnumMap<>(EntryState.class);

  /** By serial: the oldest is taken first, so that few grow old. */
  private final TreeMap<Long, Entry> idle = new TreeMap<>();

  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::ticket));

  private long created;
  private long failed;

  Shelf(PoolProfile pooled, long pauseNs, long nowNs) {
    this.pooled = pooled;
    this.demand = new Demand(nowNs);
    this.circuit = new Circuit(pauseNs);
  }

  Profile profile() {
    return pooled.profile();
  }

  Demand demand() {
    return demand;
  }

  Circuit circuit() {
    return circuit;
  }

  /** Puts a sandbox that is about to be started in the books. */
  Entry add(long serial, long nowNs) {
    Entry entry = new Entry(this, serial, nowNs);
    entries.add(entry);
    counts.merge(EntryState.STARTING, 1, Integer::sum);
    return entry;
  }

  /** Moves an entry on, and keeps every count and list in step. */
  void move(Entry entry, EntryState next, long nowNs) {
    EntryState before = entry.state();
    entry.become(next, nowNs);
    counts.merge(before, -1, Integer::sum);
    counts.merge(next, 1, Integer::sum);
    if (before == EntryState.IDLE) {
      idle.remove(entry.serial());
    }
    if (next == EntryState.IDLE) {
      idle.put(entry.serial(), entry);
    } else if (next == EntryState.GONE) {
      entries.remove(entry);
    }
  }

  /** Makes an entry idle, or gives it to the first taker who waits. */
  void offer(Entry entry, long nowNs) {
    move(entry, EntryState.IDLE, nowNs);
    Waiter first = waiters.poll();
    if (first != null) {
      move(entry, EntryState.TAKEN, nowNs);
      first.give(entry);
    }
  }

  /** The oldest idle one, taken; null if there is none. */
  @Nullable Entry takeIdle(long nowNs) {
    Entry entry = oldestIdle();
    if (entry != null) {
      move(entry, EntryState.TAKEN, nowNs);
    }
    return entry;
  }

  void enqueue(Waiter waiter) {
    waiters.add(waiter);
  }

  void leave(Waiter waiter) {
    waiters.remove(waiter);
  }

  void countCreated(long tookNs) {
    created++;
    demand.created(tookNs);
    circuit.succeeded();
  }

  /** Counts a failed creation; those who wait hear of it at once if waiting is of no use. */
  void countFailed(SandboxException failure, long nowNs) {
    failed++;
    circuit.failed(failure, nowNs);
    if (failure.permanent()) {
      waiters.forEach(each -> each.fail(failure));
      waiters.clear();
    }
  }

  /** Ends the wait of every taker, empty-handed. */
  void dismissWaiters() {
    waiters.forEach(Waiter::dismiss);
    waiters.clear();
  }

  int count(EntryState state) {
    return counts.getOrDefault(state, 0);
  }

  /** How many have not gone. */
  int size() {
    return entries.size();
  }

  Collection<Entry> entries() {
    return List.copyOf(entries);
  }

  /** The idle one that has been there longest; null if there is none. */
  @Nullable Entry oldestIdle() {
    return idle.isEmpty() ? null : idle.firstEntry().getValue();
  }

  /** How many idle ones demand asks for, within bounds. */
  int wantedIdle(long nowNs) {
    long wanted = (long) pooled.minIdle() + demand.expected(nowNs);
    return (int) Math.min(pooled.maxIdle(), wanted);
  }

  /** How many are to be started. */
  int missing(long nowNs) {
    return circuit.open(nowNs)
        ? 0
        : wantedIdle(nowNs) + waiters.size() - present() - count(EntryState.STARTING);
  }

  /** How many takers wait for whom nothing is on its way, though it could be. */
  int unserved(long nowNs) {
    return circuit.open(nowNs)
        ? 0
        : Math.max(0, waiters.size() - count(EntryState.STARTING) - count(EntryState.RESERVED));
  }

  /** The ticket of the taker who has waited longest; the greatest number if none does. */
  long firstTicket() {
    Waiter first = waiters.peek();
    return first == null ? Long.MAX_VALUE : first.ticket();
  }

  /** How many idle ones there are over the profile's minimum; negative if there are fewer. */
  int spare() {
    return idle.size() - pooled.minIdle();
  }

  /** The idle ones to be looked at, oldest first. */
  List<Entry> due(long nowNs) {
    return idle.values().stream()
        .filter(
            each -> dispensable(each, nowNs) || each.unexaminedNs(nowNs) >= EXAMINATION_INTERVAL_NS)
        .toList();
  }

  /** Whether an idle one is too old, or has waited in vain for long and would not be missed. */
  boolean dispensable(Entry entry, long nowNs) {
    boolean surplus = present() > wantedIdle(nowNs) && entry.ageNs(nowNs) >= SURPLUS_KEPT_NS;
    return surplus || entry.expired(nowNs);
  }

  private int present() {
    return count(EntryState.IDLE) + count(EntryState.RESERVED);
  }

  PoolFigures.OfProfile figures(long nowNs) {
    long longestTakenNs =
        entries.stream()
            .filter(each -> each.state() == EntryState.TAKEN)
            .mapToLong(each -> each.ageNs(nowNs))
            .max()
            .orElse(0);
    return new PoolFigures.OfProfile(
        count(EntryState.STARTING),
        present(),
        count(EntryState.TAKEN),
        count(EntryState.DESTROYING),
        waiters.size(),
        wantedIdle(nowNs),
        created,
        failed,
        TimeUnit.NANOSECONDS.toMillis(longestTakenNs));
  }
}
