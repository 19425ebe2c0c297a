package dev.stepwell.broker;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.KRaftMetadataCache;
import scala.Option;

/**
 * Tells the cluster's metadata that a broker was killed, before that broker comes back.
 *
 * <p>The metadata still say that the broker leads all its partitions. So it would begin to end the
 * transactions that it finds open, only to lose its partitions a moment later, when it registers
 * anew. If it has to write a transaction's end just then, into partitions that nobody leads, Kafka
 * takes them for deleted: that transaction counts as ended, and its messages have no end. The next
 * transaction of the same producer ends them with its own, and what had been aborted is committed.
 */
final class Fencing {
  /** What Kafka leaves behind when it has ended in good order. */
  private static final String CLEAN = ".kafka_cleanshutdown";

  /** What Kafka locks while it runs. */
  private static final String LOCK = ".lock";

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long POLL_MS = 20;

  private Fencing() {}

  /** Whether the broker whose folder this is was killed. */
  static boolean isNeeded(Path folder) {
    return !Files.exists(folder.resolve(CLEAN));
  }

  /**
   * Runs the controller alone until it has noticed that the broker is gone.
   *
   * @throws IOException if it doesn't, when interrupted, or if the broker is there after all
   */
  static void fence(int controllerPort, Path folder) throws IOException {
    refuseUsed(folder);
    KafkaRaftServer server =
        new KafkaRaftServer(
            new KafkaConfig(BrokerSettings.controllerAlone(controllerPort, folder), false),
            Time.SYSTEM);
    server.startup();
    try {
      awaitFenced(controllerOf(server));
    } finally {
      server.shutdown();
      server.awaitShutdown();
    }
  }

  /** The controller alone would end the process at once, without a word. */
  private static void refuseUsed(Path folder) throws IOException {
    try (FileChannel file =
            FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock == null) {
        throw new IOException("another broker runs on the folder " + folder);
      }
    }
  }

  private static void awaitFenced(ControllerServer controller) throws IOException {
    long end = System.nanoTime() + LIMIT_NANOS;
    KRaftMetadataCache metadata = controller.metadataCache();
    while (metadata.getImage().isEmpty() || metadata.hasAliveBroker(BrokerSettings.NODE)) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("the controller still takes the killed broker for alive");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a killed broker is fenced", e);
      }
    }
  }

  /** The server shows its parts to nobody. */
  private static ControllerServer controllerOf(KafkaRaftServer server) {
    try {
      Field field = KafkaRaftServer.class.getDeclaredField("controller");
      field.setAccessible(true);
      Option<?> controller = (Option<?>) field.get(server);
      return (ControllerServer) Optional.ofNullable(controller).orElseThrow().get();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Kafka's server has no field for its controller", e);
    }
  }
}
