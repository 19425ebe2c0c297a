package dev.stepwell.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What has been committed in a topic by now, as often as it is there. */
final class Committed {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Committed() {}

  /** The messages, those of each partition in their order. */
  static List<JsonNode> messages(String bootstrap, String topic) throws IOException {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed");
    List<JsonNode> messages = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(each -> consumer.position(each.getKey()) < each.getValue())) {
        for (var message : consumer.poll(Duration.ofMillis(200))) {
          messages.add(MAPPER.readTree(message.value()));
        }
      }
    }
    return messages;
  }

  /** The ids of the requests that evaluations have published, or of their results. */
  static List<String> evaluated(String bootstrap, String topic) throws IOException {
    return messages(bootstrap, topic).stream()
        .map(each -> each.path("requestId").asText())
        .filter(id -> id.matches("e[0-9a-f]{12}\\..*"))
        .toList();
  }
}
