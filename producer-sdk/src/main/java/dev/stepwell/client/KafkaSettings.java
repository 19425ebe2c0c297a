package dev.stepwell.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What Kafka's own clients are told. */
final class KafkaSettings {
  /** Settings that the client's guarantees rest on. */
  static final Set<String> FIXED =
      Set.of(
          "bootstrap.servers",
          "acks",
          "enable.idempotence",
          "partitioner.class",
          "partitioner.ignore.keys",
          "transactional.id",
          "isolation.level",
          "group.id",
          "enable.auto.commit",
          "key.serializer",
          "value.serializer",
          "key.deserializer",
          "value.deserializer");

  /** A message's key, headers and batch around it. */
  private static final int MESSAGE_OVERHEAD_BYTES = 64 << 10;

  /** Long enough for the broker to answer a fetch or a write under load. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

  private KafkaSettings() {}

  static Map<String, Object> admin(ClientOptions options) {
    Map<String, Object> settings = common(options);
    settings.put("default.api.timeout.ms", millis(options.connectTimeout()));
    settings.put("request.timeout.ms", millis(shorter(options.connectTimeout(), LONGEST_REQUEST)));
    return settings;
  }

  static Map<String, Object> producer(ClientOptions options) {
    Map<String, Object> settings = common(options);
    settings.put("acks", "all");
    settings.put("enable.idempotence", "true");
    settings.put("linger.ms", "0");
    settings.put("max.request.size", options.maxRequestBytes() + MESSAGE_OVERHEAD_BYTES);
    settings.put("buffer.memory", 4L * options.maxRequestBytes() + (32 << 20));
    settings.put("max.block.ms", options.submitTimeout().toMillis());
    settings.put("delivery.timeout.ms", millis(options.submitTimeout()));
    settings.put("request.timeout.ms", millis(shorter(options.submitTimeout(), LONGEST_REQUEST)));
    settings.putAll(options.kafka());
    return settings;
  }

  static Map<String, Object> consumer(ClientOptions options) {
    Map<String, Object> settings = common(options);
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    settings.put("allow.auto.create.topics", "false");
    // Where retention overtook the reader, what is left is worth reading: nothing is taken twice.
    settings.put("auto.offset.reset", "earliest");
    settings.put("fetch.min.bytes", "1");
    settings.put("fetch.max.wait.ms", "100");
    settings.put("default.api.timeout.ms", millis(options.connectTimeout()));
    settings.put("request.timeout.ms", millis(shorter(options.connectTimeout(), LONGEST_REQUEST)));
    settings.putAll(options.kafka());
    return settings;
  }

  private static Map<String, Object> common(ClientOptions options) {
    Map<String, Object> settings = new HashMap<>(options.kafka());
    settings.put("bootstrap.servers", options.bootstrap());
    settings.put("client.id", options.clientId());
    return settings;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static int millis(Duration duration) {
    return (int) Math.min(Integer.MAX_VALUE, duration.toMillis());
  }
}
