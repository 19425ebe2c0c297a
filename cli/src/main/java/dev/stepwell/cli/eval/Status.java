package dev.stepwell.cli.eval;

import java.util.Collection;
import java.util.Locale;

/** What a task, or one of its samples, counts as. */
enum Status {
  /** All went as expected. */
  PASSED,
  /** Something its own code did was not as expected. */
  FAILED,
  /** It has no verdict, and its code is not to blame. */
  INFRASTRUCTURE;

  /** How it is written in results. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What alternatives count as together, of which one is to pass. */
  static Status best(Collection<Status> each) {
    if (each.contains(PASSED)) {
      return PASSED;
    }
    // The one that has no verdict might have passed.
    return each.contains(INFRASTRUCTURE) ? INFRASTRUCTURE : FAILED;
  }
}
