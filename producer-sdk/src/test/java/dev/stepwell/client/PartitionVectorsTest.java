package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;

/** Holds the golden partitions, which clients in other languages rely on, against Kafka itself. */
final class PartitionVectorsTest {
  private static final Path VECTORS =
      Path.of("..", "protocol", "src", "test", "resources", "golden", "partitions.json");

  @Test
  void goldenPartitions_areThoseOfKafkasOwnProducer() throws IOException {
    JsonNode vectors = JsonMapper.builder().build().readTree(VECTORS.toFile());
    assertThat(vectors).hasSizeGreaterThan(4);
    for (JsonNode vector : vectors) {
      byte[] key = vector.get("key").asText().getBytes(StandardCharsets.UTF_8);
      assertThat(Utils.murmur2(key)).isEqualTo(vector.get("murmur2").asInt());
      assertThat(BuiltInPartitioner.partitionForKey(key, 16))
          .isEqualTo(vector.get("partitionOf16").asInt());
    }
  }
}
