package dev.stepwell.worker.dispatch;

import dev.stepwell.worker.execution.Arrival;
import dev.stepwell.worker.execution.RunningStep;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one key, first in, first out. Owned by the dispatch thread.
 *
 * <p>The first one stays in the queue while it runs and until it is committed, so that nothing
 * overtakes it.
 */
final class KeyQueue {
  private final PartitionWork partition;
  private final String key;
  private final Deque<Arrival> arrivals = new ArrayDeque<>();
  private @Nullable RunningStep running;

  KeyQueue(PartitionWork partition, String key) {
    this.partition = partition;
    this.key = key;
  }

  PartitionWork partition() {
    return partition;
  }

  String key() {
    return key;
  }

  /** Adds a request; true when it is the only one, so that nothing holds it up. */
  boolean add(Arrival arrival) {
    arrivals.add(arrival);
    return arrivals.size() == 1;
  }

  Arrival first() {
    return arrivals.getFirst();
  }

  List<Arrival> arrivals() {
    return List.copyOf(arrivals);
  }

  void started(RunningStep step) {
    running = step;
  }

  /** Drops the first request, which is committed; true when another one can start. */
  boolean advance() {
    arrivals.removeFirst();
    running = null;
    return !arrivals.isEmpty();
  }

  void abandon() {
    if (running != null) {
      running.abandon();
    }
  }
}
