package dev.stepwell.cli.replay;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The requests of one Kafka key, which keep their order; owned by the thread that drives the
 * replay.
 */
final class Lane {
  final String key;

  /** What is not published yet. */
  final Deque<Case> waiting = new ArrayDeque<>();

  /** How many are published and have no answer. */
  int outstanding;

  /** Whether the first one waits for a reference. */
  boolean blocked;

  Lane(String key) {
    this.key = key;
  }

  boolean idle() {
    return waiting.isEmpty() && outstanding == 0;
  }
}
