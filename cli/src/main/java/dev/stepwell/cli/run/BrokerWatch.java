package dev.stepwell.cli.run;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/**
 * Says when a broker has gone away and when it is back, on a thread of its own. It asks the broker
 * only where something is waited for and nothing has moved for a while.
 */
final class BrokerWatch implements AutoCloseable {
  private static final long EVERY_MS = 2_000;
  private static final long SILENCE_MS = 5_000;
  private static final int ANSWER_MS = 2_000;

  private final Admin admin;
  private final String bootstrap;
  private final BooleanSupplier waiting;
  private final Consumer<String> notices;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "courier watches Kafka");

  /** When something last came or went, milliseconds since the epoch; written by many threads. */
  private volatile long movedAtMs = System.currentTimeMillis();

  private BrokerWatch(
      Admin admin, String bootstrap, BooleanSupplier waiting, Consumer<String> notices) {
    this.admin = admin;
    this.bootstrap = bootstrap;
    this.waiting = waiting;
    this.notices = notices;
    thread.setDaemon(true);
  }

  /**
   * Starts to watch.
   *
   * @param admin becomes the watch's own
   * @param waiting whether anything is waited for
   * @param notices takes what there is to say, on the watch's thread
   */
  static BrokerWatch start(
      Admin admin, String bootstrap, BooleanSupplier waiting, Consumer<String> notices) {
    BrokerWatch watch = new BrokerWatch(admin, bootstrap, waiting, notices);
    watch.thread.start();
    return watch;
  }

  /** Something came from the broker, or there was nothing that should. Cheap. */
  void moved() {
    movedAtMs = System.currentTimeMillis();
  }

  private void watch() {
    try (admin) {
      while (!closed.await(EVERY_MS, TimeUnit.MILLISECONDS)) {
        long sinceMs = movedAtMs;
        if (waiting.getAsBoolean()
            && System.currentTimeMillis() - sinceMs >= SILENCE_MS
            && !answers()) {
          awaitReturn(sinceMs);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitReturn(long sinceMs) throws InterruptedException {
    notices.accept(
        "no Kafka answers at %s since %s; waiting".formatted(bootstrap, clockTime(sinceMs)));
    while (!closed.await(EVERY_MS, TimeUnit.MILLISECONDS)) {
      if (answers()) {
        long awayMs = System.currentTimeMillis() - sinceMs;
        moved();
        notices.accept(
            "Kafka at %s answers again after %d s"
                .formatted(bootstrap, TimeUnit.MILLISECONDS.toSeconds(awayMs)));
        return;
      }
    }
  }

  private boolean answers() throws InterruptedException {
    try {
      admin.describeCluster(new DescribeClusterOptions().timeoutMs(ANSWER_MS)).clusterId().get();
      return true;
    } catch (ExecutionException | KafkaException e) {
      return false;
    }
  }

  private static LocalTime clockTime(long atMs) {
    return Instant.ofEpochMilli(atMs)
        .atZone(ZoneId.systemDefault())
        .toLocalTime()
        .truncatedTo(ChronoUnit.SECONDS);
  }

  /** Ends the watch, without waiting for it. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
