package dev.stepwell.worker.delivery;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what will surely come, and gives up on what won't. */
final class Waiting {
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Waiting() {}

  static void until(String what, Callable<Boolean> condition) {
    Awaitility.await(what).atMost(LONG).pollInterval(PAUSE).until(condition);
  }
}
