package dev.stepwell.cli.progress;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How fast something grows just now: over the last quarter of a minute, because what was faster or
 * slower before says little about what is left. Owned by the thread that shows progress.
 */
final class Pace {
  private static final long WINDOW_NS = Duration.ofSeconds(15).toNanos();

  /** The first is the newest that is older than the window, if any is. */
  private final Deque<Seen> seen = new ArrayDeque<>();

  /**
   * Notes an amount.
   *
   * @param nowNs never less than the last time
   * @param amount never less than the last time, in any unit
   */
  void note(long nowNs, double amount) {
    seen.addLast(new Seen(nowNs, amount));
    while (seen.size() > 2 && nowNs - second().atNs() >= WINDOW_NS) {
      seen.removeFirst();
    }
  }

  /** How much comes in a second; 0 where nothing came or nothing is known. */
  double perSecond() {
    if (seen.size() < 2) {
      return 0;
    }
    long tookNs = seen.getLast().atNs() - seen.getFirst().atNs();
    return tookNs <= 0 ? 0 : (seen.getLast().amount() - seen.getFirst().amount()) / (tookNs / 1e9);
  }

  private Seen second() {
    var all = seen.iterator();
    all.next();
    return all.next();
  }

  private record Seen(long atNs, double amount) {}
}
