package dev.stepwell.worker.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A started container. Thread-safe, but for the two streams. */
final class DockerSandbox implements Sandbox {
  private static final Logger LOG = LoggerFactory.getLogger(DockerSandbox.class);

  /** An engine may be busy removing it already, for somebody else. */
  private static final int REMOVE_ATTEMPTS = 20;

  private static final long REMOVE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String id;
  private final Engine engine;
  private final Attachment streams;
  private final MemoryKills kills;
  private final @Nullable Path pieces;
  private final Runnable whenGone;
  private final Object ending = new Object();

  /** What was known at the end; guarded by {@link #ending}. */
  private SandboxUsage last = new SandboxUsage(null, null, 0, 0, "cgroup");

  /** Guarded by {@link #ending}. */
  private boolean gone;

  DockerSandbox(
      String id,
      Engine engine,
      Attachment streams,
      MemoryKills kills,
      @Nullable Path pieces,
      Runnable whenGone) {
    this.id = id;
    this.engine = engine;
    this.streams = streams;
    this.kills = kills;
    this.pieces = pieces;
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
  public @Nullable Path pieceFolder() {
    return pieces;
  }

  @Override
  public String diagnostics() {
    return streams.errors();
  }

  /**
   * Tells of kills for memory, some milliseconds after they happened, and of nothing else: an
   * engine takes up to a second to measure a container, which no step should wait for.
   */
  @Override
  public SandboxUsage usage() {
    synchronized (ending) {
      return gone ? last : current();
    }
  }

  private SandboxUsage current() {
    return new SandboxUsage(null, null, kills.of(id), 0, "cgroup");
  }

  @Override
  public void destroy() {
    synchronized (ending) {
      if (!gone) {
        closeStreams();
        remove(engine, id);
        gone = true;
        last = current();
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
