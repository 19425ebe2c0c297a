package dev.stepwell.worker.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The {@code kafka.} family: what is passed to every Kafka client as it is. Stateless. */
final class KafkaProperties {
  private static final String PREFIX = "kafka.";

  /** What Stepwell sets, with the setting to use instead; empty for none. */
  private static final Map<String, String> OWNED =
      Map.ofEntries(
          Map.entry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "bootstrap.servers"),
          Map.entry(ConsumerConfig.GROUP_ID_CONFIG, "group.id"),
          Map.entry(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, "poll.interval.max"),
          Map.entry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "partition.queue.records"),
          Map.entry(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "message.max"),
          Map.entry(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "transaction.timeout"),
          Map.entry(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "cluster.name"),
          Map.entry(ProducerConfig.CLIENT_ID_CONFIG, "worker.id"),
          Map.entry(ConsumerConfig.GROUP_PROTOCOL_CONFIG, ""),
          Map.entry(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, ""),
          Map.entry(ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG, ""),
          Map.entry(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, ""),
          Map.entry(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, ""),
          Map.entry(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, ""),
          Map.entry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, ""),
          Map.entry(ConsumerConfig.AUTO_COMMIT_INTERVAL_MS_CONFIG, ""),
          Map.entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, ""),
          Map.entry(ConsumerConfig.ISOLATION_LEVEL_CONFIG, ""),
          Map.entry(ConsumerConfig.EXCLUDE_INTERNAL_TOPICS_CONFIG, ""),
          Map.entry(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, ""),
          Map.entry(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ""),
          Map.entry(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ""),
          Map.entry(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ""),
          Map.entry(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ""),
          Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, ""),
          Map.entry(ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG, ""),
          Map.entry(ProducerConfig.ACKS_CONFIG, ""),
          Map.entry(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, ""),
          Map.entry(ProducerConfig.RETRIES_CONFIG, ""),
          Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, ""),
          Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ""),
          Map.entry(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, ""),
          Map.entry(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, ""),
          Map.entry(ProducerConfig.LINGER_MS_CONFIG, ""),
          Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ""),
          Map.entry(ProducerConfig.PARTITIONER_CLASS_CONFIG, ""));

  private KafkaProperties() {}

  static boolean matches(String name) {
    return name.startsWith(PREFIX);
  }

  /** Refuses what Stepwell sets itself, and what no Kafka client knows: most likely a typo. */
  static void check(String name) {
    String property = name.substring(PREFIX.length());
    String instead = OWNED.get(property);
    if (instead != null) {
      throw new ConfigException(
          name,
          name
              + " is set by Stepwell itself, its delivery depends on it; "
              + (instead.isEmpty() ? "remove the line" : "use " + instead + " instead"));
    }
    Set<String> known = known();
    if (!known.contains(property)) {
      throw NameChecks.unknown(name, known.stream().map(each -> PREFIX + each).toList());
    }
  }

  /** The properties among the settings, without the prefix. */
  static Map<String, String> of(Map<String, String> settings) {
    Map<String, String> properties = new HashMap<>();
    settings.forEach(
        (name, value) -> {
          if (matches(name)) {
            properties.put(name.substring(PREFIX.length()), value);
          }
        });
    return properties;
  }

  /** What Stepwell sets itself, for the documentation. */
  static Set<String> owned() {
    return new TreeSet<>(OWNED.keySet());
  }

  private static Set<String> known() {
    Set<String> known = new TreeSet<>(ConsumerConfig.configNames());
    known.addAll(ProducerConfig.configNames());
    known.addAll(AdminClientConfig.configNames());
    known.removeAll(OWNED.keySet());
    return known;
  }
}
