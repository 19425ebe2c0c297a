package dev.stepwell.worker.sandbox.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A started container. Thread-safe, but for the two streams. */
final class DockerSandbox implements Sandbox {
  private static final Logger LOG = LoggerFactory.getLogger(DockerSandbox.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SandboxUsage UNKNOWN = new SandboxUsage(null, null, 0, 0, "cgroup");
  private static final double NS_PER_MS = 1e6;

  /** An engine may be busy removing it already, for somebody else. */
  private static final int REMOVE_ATTEMPTS = 20;

  private static final long REMOVE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String id;
  private final Engine engine;
  private final Attachment streams;
  private final MemoryKills kills;
  private final Runnable whenGone;
  private final Object ending = new Object();

  /** The last that is known; guarded by {@link #ending}. */
  private SandboxUsage usage = UNKNOWN;

  /** Guarded by {@link #ending}. */
  private boolean gone;

  DockerSandbox(
      String id, Engine engine, Attachment streams, MemoryKills kills, Runnable whenGone) {
    this.id = id;
    this.engine = engine;
    this.streams = streams;
    this.kills = kills;
    this.whenGone = whenGone;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public InputStream output() {
    return streams.output();
  }

  @Override
  public OutputStream input() {
    return streams.input();
  }

  @Override
  public String diagnostics() {
    return streams.errors();
  }

  /**
   * Asks the engine, some milliseconds. It counts no refused processes, and knows the most memory
   * in use only with control groups version 1. After the first process has ended, or {@link
   * #destroy()}, the figures are those known before. A kill for memory is told some milliseconds
   * after it happened.
   */
  @Override
  public SandboxUsage usage() {
    synchronized (ending) {
      if (!gone) {
        try {
          usage = ask();
        } catch (SandboxException | IOException e) {
          LOG.debug("the engine can't tell what sandbox {} has used", id, e);
          usage = withKills(usage);
        }
      }
      return usage;
    }
  }

  private SandboxUsage ask() throws SandboxException, IOException {
    Optional<byte[]> figures = engine.figures(id);
    JsonNode json = figures.isPresent() ? JSON.readTree(figures.get()) : JSON.missingNode();
    long cpuNs = json.at("/cpu_stats/cpu_usage/total_usage").asLong();
    long peakBytes = json.at("/memory_stats/max_usage").asLong();
    return new SandboxUsage(
        cpuNs > 0 ? Double.valueOf(cpuNs / NS_PER_MS) : usage.cpuMs(),
        peakBytes > 0 ? Long.valueOf(peakBytes) : usage.peakMemoryBytes(),
        kills.of(id),
        0,
        "cgroup");
  }

  private SandboxUsage withKills(SandboxUsage known) {
    return new SandboxUsage(
        known.cpuMs(),
        known.peakMemoryBytes(),
        kills.of(id),
        known.processRefusals(),
        known.enforcement());
  }

  @Override
  public void destroy() {
    synchronized (ending) {
      if (!gone) {
        closeStreams();
        remove(engine, id);
        gone = true;
        usage = withKills(usage);
        whenGone.run();
      }
    }
  }

  private void closeStreams() {
    try {
      streams.close();
    } catch (IOException e) {
      LOG.debug("{}: the connection had failed before it was closed", id, e);
    }
  }

  /** Removes a container, running or not, and waits until it is gone. What stays is logged. */
  static void remove(Engine engine, String container) {
    @Nullable SandboxException failure = null;
    for (int attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
      try {
        boolean known = engine.tell("remove a container", client -> remove(client, container));
        LOG.trace("container {} is gone{}", container, known ? "" : ", and was before");
        return;
      } catch (SandboxException e) {
        failure = e;
        if (!(e.getCause() instanceof ConflictException)) {
          break;
        }
      }
      LockSupport.parkNanos(REMOVE_PAUSE_NS);
    }
    LOG.warn("container {} is left behind", container, failure);
  }

  private static void remove(DockerClient client, String container) {
    client.removeContainerCmd(container).withForce(true).withRemoveVolumes(true).exec();
  }
}
