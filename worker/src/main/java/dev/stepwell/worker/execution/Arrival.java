package dev.stepwell.worker.execution;

import dev.stepwell.worker.commit.Lease;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was read from its topic, not looked into; immutable, its arrays are never written
 * to after construction.
 *
 * @param lease the tenure of the partition that it was read under
 * @param offset where it stands in the partition
 * @param timestampMs the time that Kafka has for it, milliseconds since the epoch
 * @param key the record's key; null for none
 * @param value the record's value; null for none
 * @param headers the record's headers; of a repeated name, the last
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Arrival(
    Lease lease,
    long offset,
    long timestampMs,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, byte[]> headers) {
  public Arrival {
    headers = Map.copyOf(headers);
  }

  /** The key as text, by which requests are queued; the empty text for none. */
  public String keyText() {
    return key == null ? "" : new String(key, StandardCharsets.UTF_8);
  }

  /** The size of the value. */
  public long bytes() {
    return value == null ? 0 : value.length;
  }

  /** The value; no bytes where there is none, which no codec takes for a request. */
  byte[] body() {
    return value == null ? new byte[0] : value;
  }
}
