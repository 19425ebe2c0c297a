package dev.stepwell.cli.run;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What Kafka's own clients are told; immutable.
 *
 * @param bootstrap where Kafka is
 * @param kafka what the user adds, such as security; what the courier rests on wins
 */
record CourierSettings(String bootstrap, Map<String, String> kafka) {
  /** The largest message that the topics take, and what is around it. */
  private static final int MAX_REQUEST_BYTES = (64 << 20) + (64 << 10);

  private static final int REQUEST_TIMEOUT_MS = 5_000;

  /** How long an answer to a question about the cluster may take. */
  static final int ADMIN_TIMEOUT_MS = 20_000;

  /** From this many requests on the way, a wait of this time for company costs nothing. */
  private static final int MANY = 100;

  private static final String LINGER_MS = "2";

  CourierSettings {
    kafka = Map.copyOf(kafka);
  }

  Map<String, Object> admin() {
    Map<String, Object> settings = common();
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MS);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    return settings;
  }

  /** A producer that waits for its broker for ever. */
  Map<String, Object> producer(int maxInFlight, long maxBytesInFlight) {
    Map<String, Object> settings = common();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, maxInFlight > MANY ? LINGER_MS : "0");
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    settings.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        Math.max(maxBytesInFlight, MAX_REQUEST_BYTES) + (32L << 20));
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    return settings;
  }

  Map<String, Object> consumer(String isolation) {
    Map<String, Object> settings = common();
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    // Where retention overtook the reader, what is left is worth reading: nothing is taken twice.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "100");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "2000");
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MS);
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return settings;
  }

  private Map<String, Object> common() {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.putIfAbsent(CommonClientConfigs.CLIENT_ID_CONFIG, "stepwell-run");
    return settings;
  }
}
