package dev.stepwell.cli.record;

import dev.stepwell.cli.progress.Progress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a broker that went away, however long, and says so once; used by one thread, which
 * {@code stopped} may end from any.
 */
final class Patience {
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final Duration PING = Duration.ofSeconds(2);

  private final Admin admin;
  private final String bootstrap;
  private final Progress progress;
  private final BooleanSupplier stopped;
  private long heardNanos = System.nanoTime();
  private boolean away;

  Patience(Admin admin, String bootstrap, Progress progress, BooleanSupplier stopped) {
    this.admin = admin;
    this.bootstrap = bootstrap;
    this.progress = progress;
    this.stopped = stopped;
  }

  boolean stopped() {
    return stopped.getAsBoolean();
  }

  /** Something came. */
  void heard() {
    heardNanos = System.nanoTime();
    if (away) {
      away = false;
      progress.note("Kafka at " + bootstrap + " answers again");
    }
  }

  /** Nothing came, which may mean that nothing is there to come. */
  void silent() throws InterruptedException {
    if (System.nanoTime() - heardNanos > SILENCE_NANOS) {
      awaitBroker();
    }
  }

  /**
   * Asks again and again until there is an answer; null where it was told to stop before that. An
   * answer is no sign of the broker: a client knows some of them by itself.
   */
  <T> @Nullable T ask(Supplier<T> question) throws InterruptedException {
    while (!stopped()) {
      try {
        return question.get();
      } catch (RetriableException e) {
        awaitBroker();
      }
    }
    return null;
  }

  /** Returns when the broker answers, or when told to stop; says whether it was away. */
  boolean awaitBroker() throws InterruptedException {
    boolean wasAway = false;
    while (!stopped()) {
      long begin = System.nanoTime();
      if (answers()) {
        heard();
        return wasAway;
      }
      wasAway = true;
      if (!away) {
        away = true;
        progress.note("Kafka at " + bootstrap + " does not answer: waiting until it does");
      }
      long leftMs = PING.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      TimeUnit.MILLISECONDS.sleep(Math.max(0, leftMs));
    }
    return wasAway;
  }

  private boolean answers() throws InterruptedException {
    try {
      int timeoutMs = Math.toIntExact(PING.toMillis());
      admin
          .describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMs))
          .clusterId()
          .get(2L * timeoutMs, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }
}
