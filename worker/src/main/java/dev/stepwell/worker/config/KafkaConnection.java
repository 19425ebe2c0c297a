package dev.stepwell.worker.config;

import java.util.Properties;

/**
 * How this worker's Kafka clients are set; immutable.
 *
 * <p>The settings that the delivery guarantees rest on are put last, so that nothing a user passes
 * through can undo them.
 *
 * @param workerId this worker, part of the client ids
 * @param kafka what the user says of Kafka
 */
public record KafkaConnection(String workerId, WorkerConfig.Kafka kafka) {
  private static final String BYTES_DESERIALIZER =
      "org.apache.kafka.common.serialization.ByteArrayDeserializer";
  private static final String BYTES_SERIALIZER =
      "org.apache.kafka.common.serialization.ByteArraySerializer";

  /** Larger than any record that a worker writes: a result with all its output, a piece. */
  private static final int MAX_REQUEST_BYTES = 32 << 20;

  /** For the one consumer that reads requests as a member of the group. */
  public Properties intake(int maxPollRecords) {
    Properties properties = reader("intake");
    properties.put("group.id", kafka.groupId());
    properties.put("group.protocol", "consumer");
    properties.put("auto.offset.reset", "earliest");
    properties.put("max.poll.records", Integer.toString(maxPollRecords));
    properties.put("max.poll.interval.ms", Long.toString(kafka.pollIntervalMaxMs()));
    return properties;
  }

  /** For consumers that read assigned partitions and belong to no group. */
  public Properties reader(String purpose) {
    Properties properties = common(purpose);
    properties.put("key.deserializer", BYTES_DESERIALIZER);
    properties.put("value.deserializer", BYTES_DESERIALIZER);
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    properties.put("auto.offset.reset", "none");
    properties.put("fetch.min.bytes", "1");
    // Who asks for a topic of a mistaken name must not make it.
    properties.put("allow.auto.create.topics", "false");
    return properties;
  }

  /** For reading a whole partition at once: heads, when a partition is taken over. */
  public Properties bulkReader(String purpose) {
    Properties properties = reader(purpose);
    properties.put("max.poll.records", "20000");
    properties.put("max.partition.fetch.bytes", Integer.toString(8 << 20));
    properties.put("receive.buffer.bytes", Integer.toString(1 << 20));
    // A reader at the end waits for more; transaction markers at the end make it wait in vain.
    properties.put("fetch.max.wait.ms", "5");
    return properties;
  }

  /** For reading single records by offset: one batch a fetch. */
  public Properties pieceReader(String purpose) {
    Properties properties = anyPieceReader(purpose);
    properties.put("max.partition.fetch.bytes", "1");
    properties.put("fetch.max.bytes", "1");
    properties.put("max.poll.records", "1");
    return properties;
  }

  /** For reading many records that follow one another. */
  public Properties bulkPieceReader(String purpose) {
    Properties properties = anyPieceReader(purpose);
    properties.put("max.partition.fetch.bytes", Integer.toString(8 << 20));
    properties.put("fetch.max.bytes", Integer.toString(8 << 20));
    return properties;
  }

  private Properties anyPieceReader(String purpose) {
    Properties properties = reader(purpose);
    // Offsets of pieces come from committed heads, and their names prove them. A reader that cares
    // for transactions would wait for one that is open and none of its business.
    properties.put("isolation.level", "read_uncommitted");
    properties.put("receive.buffer.bytes", Integer.toString(1 << 20));
    // A consumer reads ahead; one that waits for more at the end of the topic could not turn to
    // another place before that.
    properties.put("fetch.max.wait.ms", "1");
    return properties;
  }

  /**
   * For the producer of one partition. Its transactional id belongs to the partition, not to the
   * worker: whoever takes the partition over ends a dead owner's transaction at once by starting
   * its own, where an id of the worker's would block every reader until the transaction timed out.
   */
  public Properties transactional(int partition) {
    Properties properties = common("commit-" + partition);
    properties.put("key.serializer", BYTES_SERIALIZER);
    properties.put("value.serializer", BYTES_SERIALIZER);
    properties.put(
        "transactional.id", kafka.clusterName() + "-" + kafka.groupId() + "-" + partition);
    properties.put("acks", "all");
    properties.put("linger.ms", "0");
    // With the default of 100, a transaction that follows another closely waits 100 ms for the
    // first one's markers.
    properties.put("retry.backoff.ms", "1");
    properties.put("retry.backoff.max.ms", "50");
    long timeoutMs = kafka.transactionTimeoutMs();
    properties.put("transaction.timeout.ms", Long.toString(timeoutMs));
    // What a transaction waits for must fail before the broker gives the transaction up.
    properties.put("delivery.timeout.ms", Long.toString(timeoutMs * 2 / 3));
    properties.put("request.timeout.ms", Long.toString(timeoutMs / 3));
    properties.put("max.block.ms", Long.toString(timeoutMs * 2 / 3));
    properties.put("max.request.size", Integer.toString(MAX_REQUEST_BYTES));
    properties.put("buffer.memory", Long.toString(2L * MAX_REQUEST_BYTES));
    return properties;
  }

  /**
   * For a producer of its own that brings snapshots in from elsewhere.
   *
   * @param name nobody else's, so that it fences no worker and no other one like it
   */
  public Properties archivist(String name) {
    Properties properties = transactional(0);
    properties.put("client.id", workerId + "-restore");
    properties.put("transactional.id", "%s-restore-%s".formatted(kafka.clusterName(), name));
    // A large snapshot comes as fast as a file is read, and nobody waits for this transaction.
    properties.put("transaction.timeout.ms", "300000");
    return properties;
  }

  /** For administration. */
  public Properties admin() {
    return common("admin");
  }

  private Properties common(String purpose) {
    Properties properties = new Properties();
    properties.putAll(kafka.clientProperties());
    properties.put("bootstrap.servers", kafka.bootstrapServers());
    properties.put("client.id", workerId + "-" + purpose);
    return properties;
  }
}
