package dev.stepwell.worker.commit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record to publish in the lease's partition of a topic; immutable, its arrays are never written
 * to after construction.
 *
 * @param topic the topic
 * @param key the key, or null to keep the absence of one in a dead letter
 * @param value the value
 * @param headers the headers, UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, and copied by Kafka
public record Outgoing(
    String topic, byte @Nullable [] key, byte @Nullable [] value, Map<String, byte[]> headers) {
  public Outgoing {
    headers = Map.copyOf(headers);
  }
}
