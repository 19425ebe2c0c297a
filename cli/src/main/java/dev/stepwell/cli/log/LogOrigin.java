package dev.stepwell.cli.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where a log was recorded; immutable.
 *
 * @param cluster the id of the Kafka cluster
 * @param prefix what the topics' names begin with
 * @param partitions how many partitions each has
 * @param from the beginning of the range, as it was asked for
 * @param to its end
 */
public record LogOrigin(String cluster, String prefix, int partitions, String from, String to) {
  /** In one line, for people. */
  String text() {
    return "cluster %s, topics %s.* of %d partitions, from %s to %s"
        .formatted(cluster, prefix, partitions, from, to);
  }

  String json() {
    ObjectNode object = LineJson.mapper().createObjectNode();
    object.put("cluster", cluster).put("prefix", prefix).put("partitions", partitions);
    return object.put("from", from).put("to", to).toString();
  }

  static @Nullable LogOrigin read(byte[] json) throws IOException {
    JsonNode tree = LineJson.tree(json);
    return new LogOrigin(
        tree.path("cluster").asText(),
        tree.path("prefix").asText(),
        tree.path("partitions").asInt(),
        tree.path("from").asText(),
        tree.path("to").asText());
  }
}
