package dev.stepwell.worker.sandbox.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, for each of this worker's containers, how often the kernel killed in it for memory.
 * Thread-safe.
 *
 * <p>The state of a running container doesn't tell; the engine's stream of events does. A thread of
 * this class follows it, and begins again where it was if the engine goes away.
 */
final class MemoryKills implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryKills.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  private final Engine engine;
  private final String workerId;
  private final Map<String, Long> counts = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::follow, "stepwell-docker-events");
  private volatile boolean closed;

  /** The stream being followed, so that closing can end it. */
  private volatile @Nullable Wire current;

  MemoryKills(Engine engine, String workerId) {
    this.engine = engine;
    this.workerId = workerId;
    thread.setDaemon(true);
    thread.start();
  }

  /** Begins to count for a container. */
  void watch(String container) {
    counts.put(container, 0L);
  }

  /** How often so far; 0 for one that isn't watched. */
  long of(String container) {
    return counts.getOrDefault(container, 0L);
  }

  /** Ends counting for a container. */
  void forget(String container) {
    counts.remove(container);
  }

  private void follow() {
    Instant since = Instant.now();
    while (!closed) {
      Instant begun = Instant.now();
      try (Wire wire = engine.wire()) {
        current = wire;
        if (!closed) {
          read(Exchange.open(wire, path(since)));
        }
      } catch (IOException e) {
        LOG.debug("the engine's events ended", e);
      }
      // Some may be told twice then, and none is missed: that it happened is what matters.
      since = begun;
      if (!closed) {
        LockSupport.parkNanos(RETRY_NS);
      }
    }
  }

  private String path(Instant since) {
    ObjectNode filters = JSON.createObjectNode();
    filters.putArray("event").add("oom");
    filters.putArray("label").add(ContainerSpec.WORKER + "=" + workerId);
    return "/events?since="
        + since.getEpochSecond()
        + "&filters="
        + URLEncoder.encode(filters.toString(), StandardCharsets.UTF_8);
  }

  private void read(InputStream events) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode event = JSON.readTree(line);
      counts.computeIfPresent(
          event.at("/Actor/Attributes/name").asText(), (container, count) -> count + 1);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    Wire wire = current;
    if (wire != null) {
      wire.close();
    }
    LockSupport.unpark(thread);
  }
}
