package dev.stepwell.worker.commit;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which requests of a partition are finished, and which may have been started. Not thread-safe:
 * owned by the partition's commit thread.
 *
 * <p>Requests finish in any order, but a Kafka group commits one offset. The ledger commits the
 * lowest unfinished one and writes what is finished above it into the offset's metadata, so that a
 * later owner repeats nothing.
 *
 * <p>It also bounds what a later owner must suspect. A request may be started only once an offset
 * at or above it is on record as startable, so after a crash everything above that mark is known
 * never to have run. Marks are set ahead in every commit; on the way of a request they cost
 * nothing.
 */
final class OffsetLedger {
  /** How far ahead of the newest request the mark is set: the most a crash makes suspect. */
  static final int START_AHEAD = 1_000;

  private final TreeSet<Long> unfinished = new TreeSet<>();
  private final TreeSet<Long> finishedAbove;
  private final TreeMap<Long, Integer> starts;
  private long nextPosition;
  private long startableUpTo;

  OffsetLedger(long position, OffsetMetadata left) {
    this.nextPosition = position;
    this.finishedAbove = new TreeSet<>(left.finished());
    this.starts = new TreeMap<>(left.starts());
    this.startableUpTo = left.startableUpTo();
  }

  /** Takes note of a request. Offsets come in rising order, with gaps. */
  void received(long offset) {
    if (offset < nextPosition) {
      throw new IllegalStateException(
          "offset " + offset + " was received after " + (nextPosition - 1));
    }
    nextPosition = offset + 1;
    if (!finishedAbove.contains(offset)) {
      unfinished.add(offset);
    }
  }

  void finished(long offset) {
    if (!unfinished.remove(offset)) {
      throw new IllegalStateException("offset " + offset + " was finished but is not running");
    }
    finishedAbove.add(offset);
    starts.remove(offset);
  }

  /** Counts a start of a request that an earlier owner may have started. */
  int recordStart(long offset) {
    return starts.merge(offset, 1, Integer::sum);
  }

  /** Moves the mark so that it is well ahead of everything received, and returns it. */
  long raiseStartable() {
    startableUpTo = Math.max(startableUpTo, nextPosition - 1 + START_AHEAD);
    return startableUpTo;
  }

  /** Takes the mark back: nothing runs any more, so a later owner has nothing to suspect. */
  void nothingRuns() {
    startableUpTo = position() - 1;
  }

  /** The offset to commit: everything below it is finished. */
  long position() {
    return unfinished.isEmpty() ? nextPosition : unfinished.first();
  }

  /** The metadata to commit with {@link #position()}. */
  OffsetMetadata metadata() {
    finishedAbove.headSet(position()).clear();
    return new OffsetMetadata(startableUpTo, finishedAbove, starts);
  }

  Set<Long> finishedAbove() {
    return Set.copyOf(finishedAbove);
  }
}
