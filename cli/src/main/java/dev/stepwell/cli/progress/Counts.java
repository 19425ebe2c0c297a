package dev.stepwell.cli.progress;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** How many went how, and how many were done before; thread-safe, never blocks. */
final class Counts {
  private final Map<String, LongAdder> byLabel = new ConcurrentHashMap<>();

  /** In the order in which they were first met; there are few. */
  private final List<String> labels = new CopyOnWriteArrayList<>();

  private final LongAdder skipped = new LongAdder();
  private volatile double part;

  void done(String label) {
    LongAdder count = byLabel.get(label);
    if (count == null) {
      count = byLabel.computeIfAbsent(label, this::met);
    }
    count.increment();
  }

  void skipped(long count) {
    skipped.add(count);
  }

  void part(double whole) {
    part = Math.max(0, Math.min(1, whole));
  }

  /** How many are done by this process. */
  long done() {
    return byLabel.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** How many were done before. */
  long skipped() {
    return skipped.sum();
  }

  /** How much of the whole is done, 0 where nobody said. */
  double part() {
    return part;
  }

  /**
   * Such as {@code 790 passed, 20 failed}; empty before the first. What was done before is told
   * apart, since how it went isn't known here.
   */
  String text() {
    StringBuilder text = new StringBuilder();
    if (skipped() > 0) {
      text.append(skipped()).append(" before");
    }
    for (String label : labels) {
      LongAdder count = byLabel.get(label);
      // A label is in the list a moment before its count is in the map.
      if (count != null) {
        text.append(text.isEmpty() ? "" : ", ").append(count.sum()).append(' ').append(label);
      }
    }
    return text.toString();
  }

  private LongAdder met(String label) {
    labels.add(label);
    return new LongAdder();
  }
}
