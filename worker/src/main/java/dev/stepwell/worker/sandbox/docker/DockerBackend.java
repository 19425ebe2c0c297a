package dev.stepwell.worker.sandbox.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.exception.BadRequestException;
import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.BackendCandidate;
import dev.stepwell.worker.sandbox.ImageNames;
import dev.stepwell.worker.sandbox.PieceFolders;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes containers with a Docker engine. Thread-safe.
 *
 * <p>A container has no network, no capability, no way to gain one, a system call filter; a
 * read-only root, and memory-backed {@code /tmp}, {@code /workspace} and {@code /dev/shm} of
 * bounded size; an ordinary user; limits of memory without swap, of processes and of processor
 * time. Where there is no network an engine writes no {@code /etc/hosts}: {@code localhost} is
 * found by name if the image says where it is.
 *
 * <p>When the worker dies, so does the connection that carries the container's standard input, and
 * a first process that ends at the end of its input leaves a stopped container, which any worker's
 * {@link #reap()} removes. One that doesn't is removed when its lifetime is over.
 */
public final class DockerBackend implements SandboxBackend {
  /** The name that users choose it by. */
  public static final String NAME = "docker";

  private static final Logger LOG = LoggerFactory.getLogger(DockerBackend.class);

  private final DockerSettings settings;
  private final Engine engine;
  private final String version;
  private final MemoryKills kills;
  private final Clock clock;
  private final PieceFolders folders;
  private final Set<String> live = ConcurrentHashMap.newKeySet();

  /** Whether the engine sees this machine's folders; known for sure when it has been asked. */
  private volatile boolean shares;

  private volatile boolean closed;

  private DockerBackend(DockerSettings settings, Engine engine, String version) {
    this.settings = settings;
    this.engine = engine;
    this.version = version;
    this.kills = new MemoryKills(engine, settings.workerId());
    this.clock = Clock.systemUTC();
    this.folders = new PieceFolders(settings.scratchFolder());
    this.shares = engine.isHere();
  }

  /**
   * Connects to the engine; the caller closes the backend. Blocks for seconds at most.
   *
   * @throws SandboxException if no engine answers; the message says where it was looked for
   */
  public static DockerBackend connect(DockerSettings settings) throws SandboxException {
    Engine engine = new Engine(settings);
    try {
      return new DockerBackend(settings, engine, engine.version());
    } catch (SandboxException e) {
      close(engine);
      throw SandboxException.passing(
          "no Docker engine answers at "
              + engine.address()
              + "; start one (on Debian and Ubuntu: apt-get install docker.io), or name it in"
              + " DOCKER_HOST",
          e);
    }
  }

  /** Whether an engine answers, and where. Leaves nothing behind. */
  public static Availability probe(DockerSettings settings) {
    try (DockerBackend backend = connect(settings)) {
      return Availability.usable(backend.description());
    } catch (SandboxException e) {
      return Availability.missing(String.valueOf(e.getMessage()));
    }
  }

  /** This backend, for {@link dev.stepwell.worker.sandbox.BackendChoice}. */
  public static BackendCandidate candidate(DockerSettings settings) {
    return new BackendCandidate(NAME, () -> probe(settings), () -> connect(settings));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "a Docker engine " + version + " answers at " + engine.address();
  }

  @Override
  public Sandbox create(Profile profile, List<String> command)
      throws SandboxException, InterruptedException {
    if (closed) {
      throw SandboxException.permanent("the docker backend has been closed", null);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the container was made");
    }
    if (engine.isHere()) {
      profile.requireMounts();
    }
    Sandbox sandbox = startAnyhow(profile, command);
    if (Thread.interrupted()) {
      sandbox.destroy();
      throw new InterruptedException("interrupted while the container was made");
    }
    return sandbox;
  }

  /** With a folder of pieces; without one where an engine behind the socket doesn't see it. */
  private Sandbox startAnyhow(Profile profile, List<String> command) throws SandboxException {
    Path pieces = shares ? folders.create() : null;
    try {
      return start(profile, command, pieces);
    } catch (SandboxException e) {
      PieceFolders.remove(pieces);
      requireSeen(profile, e);
      if (pieces == null || !(e.getCause() instanceof BadRequestException)) {
        throw e;
      }
      Sandbox sandbox = start(profile, command, null);
      LOG.info("the engine doesn't see {}; state is copied into sandboxes", pieces, e);
      shares = false;
      return sandbox;
    } catch (RuntimeException e) {
      PieceFolders.remove(pieces);
      throw e;
    }
  }

  /** An engine elsewhere, or one behind a socket that was passed on, may see other folders. */
  private static void requireSeen(Profile profile, SandboxException refusal)
      throws SandboxException {
    String said = String.valueOf(refusal.getMessage());
    for (Map.Entry<String, Path> mount : profile.mounts().entrySet()) {
      if (refusal.getCause() instanceof BadRequestException
          && said.contains("bind source path does not exist: " + mount.getValue())) {
        throw profile.noMount(mount.getKey(), refusal);
      }
    }
  }

  private Sandbox start(Profile profile, List<String> command, @Nullable Path pieces)
      throws SandboxException {
    String id = SandboxId.next();
    hold(id);
    try {
      make(id, profile, command, pieces);
      Attachment streams = engine.attach(id);
      if (!engine.tell("start a container", client -> client.startContainerCmd(id).exec())) {
        throw SandboxException.passing("the engine has lost the container " + id, null);
      }
      return new DockerSandbox(id, engine, streams, kills, pieces, () -> release(id, pieces));
    } catch (SandboxException | RuntimeException e) {
      DockerSandbox.remove(engine, id);
      release(id, null);
      throw e;
    }
  }

  private void hold(String id) {
    live.add(id);
    kills.watch(id);
  }

  private void release(String id, @Nullable Path pieces) {
    PieceFolders.remove(pieces);
    kills.forget(id);
    live.remove(id);
  }

  private void make(String id, Profile profile, List<String> command, @Nullable Path pieces)
      throws SandboxException {
    Instant expires = clock.instant().plus(settings.lifetime());
    Map<String, String> labels =
        Map.of(
            ContainerSpec.WORKER, settings.workerId(),
            ContainerSpec.PROFILE, profile.name(),
            ContainerSpec.EXPIRES, Long.toString(expires.getEpochSecond()));
    boolean made =
        engine.tell(
            "make a container",
            client -> {
              CreateContainerCmd create = client.createContainerCmd(profile.image()).withName(id);
              ContainerSpec.fill(create, profile, command, labels, pieces).exec();
            });
    if (!made) {
      throw SandboxException.permanent(
          "the Docker engine at "
              + engine.address()
              + " has no image "
              + profile.image()
              + ", which profile "
              + profile.name()
              + " needs; "
              + ImageNames.wayOut(profile, NAME, profile.image()),
          null);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of other workers' containers it removes those that ended, or were made and not started, a
   * while ago, and running ones past their lifetime.
   */
  @Override
  public int reap() throws SandboxException {
    int containers = new Reaper(engine, clock.instant()).reap(live);
    try {
      return containers + PieceFolders.reap(settings.scratchFolder());
    } catch (IOException e) {
      throw SandboxException.passing(
          settings.scratchFolder() + " could not be looked through: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      folders.close();
      close(kills);
      close(engine);
    }
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOG.debug("the connections to the engine had failed before they were closed", e);
    }
  }
}
