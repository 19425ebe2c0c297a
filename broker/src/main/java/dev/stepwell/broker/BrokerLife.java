package dev.stepwell.broker;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One broker from its start to its end, which may be called for at any time, also while it starts.
 * {@link #start} belongs to the main thread and {@link #end} to the shutdown hook.
 */
final class BrokerLife {
  /** An end that takes longer is cut short: nobody waits for the broker any more. */
  private static final long END_LIMIT_SECONDS = 10;

  private final BrokerOptions options;
  private final CountDownLatch startOver = new CountDownLatch(1);

  /** Written before {@link #startOver} is counted down, read after it was awaited. */
  private @Nullable EmbeddedBroker broker;

  BrokerLife(BrokerOptions options) {
    this.options = options;
  }

  /** Starts the broker; gives its address. */
  String start() throws IOException {
    try {
      EmbeddedBroker started = EmbeddedBroker.start(options);
      broker = started;
      return started.address();
    } finally {
      startOver.countDown();
    }
  }

  /** Ends the broker, if need be as soon as it has started, and clears up what is temporary. */
  void end() {
    Thread closer = new Thread(this::closeOnceStarted, "broker closes");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(TimeUnit.SECONDS.toMillis(END_LIMIT_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (options.temporary()) {
      deleteData();
    }
  }

  private void closeOnceStarted() {
    try {
      startOver.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (broker != null) {
      broker.close();
    }
  }

  private void deleteData() {
    try {
      Folders.delete(options.dataFolder());
    } catch (IOException e) {
      System.err.println("can't delete " + options.dataFolder() + ": " + e.getMessage());
    }
  }
}
