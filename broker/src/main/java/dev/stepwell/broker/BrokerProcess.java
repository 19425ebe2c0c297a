package dev.stepwell.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A broker that runs as a child of this process and ends with it, however this process ends;
 * thread-safe.
 */
public final class BrokerProcess implements AutoCloseable {
  private final BrokerChild child;
  private final String bootstrap;

  private BrokerProcess(BrokerChild child, String bootstrap) {
    this.child = child;
    this.bootstrap = bootstrap;
  }

  /**
   * Starts a broker and returns when it serves.
   *
   * @param libFolder the folder with the broker's jars
   * @param port its port on the loopback interface, 0 for any that is free
   * @param dataFolder where it keeps its data, or null for a temporary folder that goes with it
   * @param timeout how long its start may take
   * @throws IOException saying why it doesn't serve, with the end of its log
   */
  public static BrokerProcess start(
      Path libFolder, int port, @Nullable Path dataFolder, Duration timeout) throws IOException {
    BrokerChild child = BrokerChild.start(libFolder, port, dataFolder);
    try {
      return new BrokerProcess(child, child.awaitReady(timeout));
    } catch (IOException | RuntimeException e) {
      child.end();
      throw e;
    }
  }

  /** Where clients connect to: {@code HOST:PORT}. */
  public String bootstrap() {
    return bootstrap;
  }

  /** The process's id. */
  public long pid() {
    return child.process().pid();
  }

  /** Completes when the process has ended, for whatever reason. */
  public CompletableFuture<Void> ended() {
    return child.process().onExit().thenRun(() -> {});
  }

  /**
   * Ends the broker and waits for its end, at most some 12 seconds, after which it is killed.
   * Deletes a temporary folder. The second time there is nothing to do.
   */
  @Override
  public void close() {
    child.end();
  }
}
