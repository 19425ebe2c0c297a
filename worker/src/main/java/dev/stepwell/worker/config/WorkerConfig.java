package dev.stepwell.worker.config;

import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.pool.PoolSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A worker's whole configuration, checked; immutable. {@code docs/configuration.md} says what each
 * part means.
 *
 * @param workerId what results call the worker
 * @param kafka how to reach Kafka, and the names used there
 * @param intake how much is taken ahead
 * @param execution how steps are run
 * @param backend what makes sandboxes
 * @param pool the bounds of the pool
 * @param state how snapshots are kept and moved
 * @param profiles the profiles on offer
 */
public record WorkerConfig(
    String workerId,
    Kafka kafka,
    Intake intake,
    Execution execution,
    Backend backend,
    PoolSettings pool,
    State state,
    Profiles profiles) {

  /**
   * Reads a configuration file in Java's properties format.
   *
   * @throws ConfigException if something in it is not acceptable; the message names the setting
   * @throws IOException if it can't be read
   */
  public static WorkerConfig parse(Reader reader) throws IOException {
    return of(PropertiesFile.read(reader));
  }

  /**
   * Reads a configuration file in Java's properties format and UTF-8.
   *
   * @throws ConfigException if something in it is not acceptable; the message names the setting
   * @throws IOException if it can't be read
   */
  public static WorkerConfig parse(Path file) throws IOException {
    return of(PropertiesFile.read(file));
  }

  /**
   * Makes a configuration of settings by name, as a file would have them.
   *
   * @throws ConfigException if one of them is not acceptable; the message names it
   */
  public static WorkerConfig of(Map<String, String> settings) {
    return ConfigReader.read(settings, Machine.current());
  }

  /**
   * Kafka; immutable.
   *
   * @param bootstrapServers where to begin, comma-separated {@code host:port}
   * @param clusterName distinguishes installations on one Kafka cluster
   * @param groupId the consumer group
   * @param topics the topics' names
   * @param allowedReplyTopics where results may go, the results topic included
   * @param messageMaxBytes the largest request
   * @param transactionTimeoutMs when the broker aborts an abandoned transaction
   * @param pollIntervalMaxMs when a worker that does not poll loses its partitions
   * @param clientProperties passed to every Kafka client as they are; none that Stepwell sets
   */
  public record Kafka(
      String bootstrapServers,
      String clusterName,
      String groupId,
      Topics topics,
      Set<String> allowedReplyTopics,
      long messageMaxBytes,
      long transactionTimeoutMs,
      long pollIntervalMaxMs,
      Map<String, String> clientProperties) {
    public Kafka {
      allowedReplyTopics = Set.copyOf(allowedReplyTopics);
      clientProperties = Map.copyOf(clientProperties);
    }

    /** Without the client properties, which may hold passwords. */
    @Override
    public String toString() {
      return "Kafka[bootstrapServers=%s, clusterName=%s, groupId=%s, topics=%s, clientProperties=%s]"
          .formatted(
              bootstrapServers, clusterName, groupId, topics.prefix(), clientProperties.keySet());
    }
  }

  /**
   * Bounds of what is taken ahead and not yet answered; immutable.
   *
   * @param queueRecords requests in the whole worker
   * @param queueBytes their bytes
   * @param partitionQueueRecords requests of one partition
   * @param partitionQueueBytes their bytes
   * @param partitionWindow offsets from a partition's oldest unanswered request to its newest
   */
  public record Intake(
      int queueRecords,
      long queueBytes,
      int partitionQueueRecords,
      long partitionQueueBytes,
      int partitionWindow) {}

  /**
   * Running steps; immutable.
   *
   * @param slots steps that run at once
   * @param commitConcurrency transactions in flight at once
   * @param attemptsMax how often a request may be begun
   * @param shutdownGraceMs how long running steps may finish when the worker stops; 0 for not at
   *     all
   * @param takeTimeoutMs how long a request waits for a sandbox
   */
  public record Execution(
      int slots,
      int commitConcurrency,
      int attemptsMax,
      long shutdownGraceMs,
      long takeTimeoutMs) {}

  /**
   * What makes sandboxes; immutable.
   *
   * @param name {@code auto}, or a backend's name
   * @param dockerHost the engine's address; empty for what the environment says
   * @param bubblewrapPath the program: a path, or a name to look up
   * @param enrootPath the program: a path, or a name to look up
   * @param enrootUser whose enroot's sandboxes are where the worker is root
   * @param scratchFolder a local folder for sandboxes and caches
   */
  public record Backend(
      String name,
      String dockerHost,
      String bubblewrapPath,
      String enrootPath,
      String enrootUser,
      Path scratchFolder) {}

  /**
   * Snapshots; immutable.
   *
   * @param cacheBytes disk space for lately used pieces; 0 for what is in use alone
   * @param claimCheckBytes the most that a step leaves in Kafka if there is an object store
   * @param objectStore the object store
   * @param restoreTimeMs time to bring one into a sandbox
   * @param saveTimeMs time for a step to save one
   */
  public record State(
      long cacheBytes,
      long claimCheckBytes,
      ObjectStore objectStore,
      long restoreTimeMs,
      long saveTimeMs) {}

  /**
   * How the object store is used; immutable.
   *
   * @param place where it is; null if there is none
   * @param retentionMs how long it keeps an object; 0 for as long as the blob topic its records
   * @param concurrency objects that are read and written at once
   * @param timeMs time for one object, repeated tries included
   */
  public record ObjectStore(
      @Nullable StoreConfig place, long retentionMs, int concurrency, long timeMs) {}
}
