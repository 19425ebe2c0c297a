package dev.stepwell.worker.dispatch;

import dev.stepwell.protocol.Head;
import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.CommitLane;
import dev.stepwell.worker.commit.Lease;
import dev.stepwell.worker.commit.OpenedPartition;
import dev.stepwell.worker.execution.Arrival;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A partition under one lease: its sessions' heads and the queues of its keys. Owned by the
 * dispatch thread.
 */
final class PartitionWork {
  /** One-shots leave no head; the newest of them are remembered here, for as long as the lease. */
  private static final int REMEMBERED_ONE_SHOTS = 10_000;

  private final Lease lease;
  private final CommitLane lane;
  private final Map<String, Head> heads = new HashMap<>();
  private final Map<String, KeyQueue> queues = new HashMap<>();
  private final Map<Long, KeyQueue> byOffset = new HashMap<>();
  private final Set<Long> finishedBefore = new HashSet<>();
  private final Map<Long, Integer> attempts = new HashMap<>();
  private final Set<String> answeredOneShots = new LinkedHashSet<>();
  private final List<KeyQueue> parked = new ArrayList<>();
  private long suspectUpTo = -1;
  private long startableUpTo = -1;
  private long highestReceived = -1;
  private long committedPosition;
  private long heldBytes;
  private int inFlight;
  private boolean held;

  PartitionWork(Lease lease, CommitLane lane) {
    this.lease = lease;
    this.lane = lane;
  }

  Lease lease() {
    return lease;
  }

  CommitLane lane() {
    return lane;
  }

  void opened(OpenedPartition opened) {
    heads.putAll(opened.heads());
    finishedBefore.addAll(opened.finished());
    suspectUpTo = opened.suspectUpTo();
    committedPosition = opened.position();
  }

  /** Queues a request that may be new; null when it was answered before this lease. */
  @Nullable KeyQueue enqueue(Arrival arrival) {
    highestReceived = arrival.offset();
    if (finishedBefore.remove(arrival.offset())) {
      return null;
    }
    KeyQueue queue = queues.computeIfAbsent(arrival.keyText(), key -> new KeyQueue(this, key));
    byOffset.put(arrival.offset(), queue);
    heldBytes += arrival.bytes();
    return queue;
  }

  @Nullable Head head(String key) {
    return heads.get(key);
  }

  boolean oneShotAnswered(String key) {
    return answeredOneShots.contains(key);
  }

  /** Whether the request may start as far as the record of starts goes; if not, it is parked. */
  boolean mayStart(KeyQueue queue) {
    long offset = queue.first().offset();
    if (offset > startableUpTo) {
      parked.add(queue);
      lane.raiseStartable();
      return false;
    }
    if (offset <= suspectUpTo && !attempts.containsKey(offset)) {
      lane.recordStart(offset);
      return false;
    }
    return true;
  }

  int attempt(long offset) {
    return attempts.getOrDefault(offset, 1);
  }

  /** Raises the mark; the queues that waited for it are to be tried again. */
  List<KeyQueue> startable(long upTo) {
    startableUpTo = upTo;
    List<KeyQueue> waiting = List.copyOf(parked);
    parked.clear();
    return waiting;
  }

  /** A start is on record; its queue is to be tried again. */
  @Nullable KeyQueue startRecorded(long offset, int attempt) {
    attempts.put(offset, attempt);
    return byOffset.get(offset);
  }

  void started() {
    inFlight++;
  }

  /** Whether nothing runs or waits for its commit. */
  boolean idle() {
    return inFlight == 0;
  }

  /** Applies an answer that was committed; the queue that it came from, to be advanced. */
  @Nullable KeyQueue committed(Answer answer) {
    inFlight--;
    KeyQueue queue = byOffset.remove(answer.offset());
    heldBytes -= queue == null ? 0 : queue.first().bytes();
    attempts.remove(answer.offset());
    Answer.SessionAdvance session = answer.session();
    if (session != null) {
      advance(session);
    } else if (queue != null && !answer.records().isEmpty()) {
      rememberOneShot(queue.key());
    }
    return queue;
  }

  private void advance(Answer.SessionAdvance session) {
    Head next = session.head();
    if (next == null) {
      heads.remove(session.sessionId());
    } else {
      heads.put(session.sessionId(), next);
    }
  }

  private void rememberOneShot(String key) {
    answeredOneShots.add(key);
    if (answeredOneShots.size() > REMEMBERED_ONE_SHOTS) {
      answeredOneShots.remove(answeredOneShots.iterator().next());
    }
  }

  void forget(KeyQueue queue) {
    queues.remove(queue.key());
  }

  void position(long position) {
    committedPosition = position;
  }

  /** Whether this holds more than the given part of what it may. */
  boolean fuller(DispatchSettings.PartitionLimits limits, int part) {
    return byOffset.size() > limits.requests() / part
        || heldBytes > limits.bytes() / part
        || highestReceived + 1 - committedPosition > limits.window() / part;
  }

  boolean held() {
    return held;
  }

  void held(boolean hold) {
    held = hold;
  }

  /** Ends everything that runs for this partition; returns the requests it still held. */
  List<Arrival> abandon() {
    queues.values().forEach(KeyQueue::abandon);
    List<Arrival> holding = new ArrayList<>();
    queues.values().forEach(queue -> holding.addAll(queue.arrivals()));
    return holding;
  }
}
