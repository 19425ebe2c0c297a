package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.BackendCandidate;
import dev.stepwell.worker.sandbox.PieceFolders;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxId;
import dev.stepwell.worker.sandbox.process.Cgroup;
import dev.stepwell.worker.sandbox.process.ProcessSandbox;
import dev.stepwell.worker.sandbox.process.Reaper;
import dev.stepwell.worker.sandbox.process.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes sandboxes with enroot, from squashfs images. Thread-safe.
 *
 * <p>A sandbox has namespaces of its own for users, processes, network, mounts, IPC, host name and
 * control groups; no capability, no way to gain one, a system call filter; a read-only root, and
 * memory-backed {@code /tmp}, {@code /workspace} and {@code /dev/shm} of bounded size. Its user is
 * an ordinary one, the same inside and outside, also where the worker is root. It dies when the
 * worker does. It sees this machine's host name, and can't change it.
 *
 * <p>Where control groups can be made, they limit memory (with swap), processes and processor time
 * of the sandbox as a whole. Elsewhere memory is limited for each process by itself, processor time
 * not at all, and {@code usage()} says {@code rlimit}.
 */
public final class EnrootBackend implements SandboxBackend {
  /** The name that users choose it by. */
  public static final String NAME = "enroot";

  private final EnrootMachine machine;
  private final EnrootLauncher launcher;
  private final ContainerRoots roots;
  private final Spawner spawner = new Spawner(NAME);
  private final PieceFolders folders;
  private final boolean shares;
  private final Set<Tried> tried = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** What a sandbox has been made of once. */
  private record Tried(SquashfsImage image, Map<String, Path> mounts) {}

  private EnrootBackend(EnrootSettings settings, EnrootMachine machine) {
    this.machine = machine;
    this.launcher = new EnrootLauncher(settings.program(), machine);
    this.roots =
        new ContainerRoots(
            new Helper(machine.user(), machine.folders().environment(machine.state().path())),
            machine.self());
    this.folders = new PieceFolders(settings.scratchFolder());
    this.shares = !machine.user().dropped() || folders.passableToOthers();
  }

  /**
   * Opens the backend, and looks whether enroot answers; whether it can make sandboxes is seen with
   * the first one of an image. The caller closes it.
   *
   * @throws SandboxException if this machine can't; the message says what is missing
   */
  public static EnrootBackend open(EnrootSettings settings) throws SandboxException {
    return new EnrootBackend(settings, EnrootMachine.inspect(settings));
  }

  /** Whether {@link #open} would succeed, and why. Leaves no more than empty folders behind. */
  public static Availability probe(EnrootSettings settings) {
    try (EnrootBackend backend = open(settings)) {
      return Availability.usable(backend.description());
    } catch (SandboxException e) {
      return Availability.missing(String.valueOf(e.getMessage()));
    }
  }

  /** This backend, for {@link dev.stepwell.worker.sandbox.BackendChoice}. */
  public static BackendCandidate candidate(EnrootSettings settings) {
    return new BackendCandidate(NAME, () -> probe(settings), () -> open(settings));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return launcher.program()
        + " "
        + machine.version()
        + " makes sandboxes here as user "
        + machine.user().uid()
        + "; "
        + machine.cgroups().description()
        + (shares
            ? ""
            : "; state is copied into sandboxes, because others can't pass through "
                + machine.state().parent());
  }

  @Override
  public Sandbox create(Profile profile, List<String> command)
      throws SandboxException, InterruptedException {
    if (closed) {
      throw closedException(null);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the sandbox was started");
    }
    profile.requireMounts();
    requireMountable(profile);
    String root = requireRoot(profile);
    requireProgram(profile, root, command.get(0));
    ProcessSandbox sandbox = start(profile, command, root);
    if (Thread.interrupted()) {
      sandbox.destroy();
      throw new InterruptedException("interrupted while the sandbox was started");
    }
    return sandbox;
  }

  private static void requireMountable(Profile profile) throws SandboxException {
    for (Map.Entry<String, Path> mount : profile.mounts().entrySet()) {
      if (UserFolders.isUnmountable(mount.getValue())) {
        throw SandboxException.permanent(
            ("profile %s mounts %s, whose folder %s has a space, colon, dollar or backslash in its"
                    + " name, which enroot's mount tables can't hold; change mount.%s")
                .formatted(profile.name(), mount.getKey(), mount.getValue(), mount.getKey()),
            null);
      }
    }
  }

  private String requireRoot(Profile profile) throws SandboxException, InterruptedException {
    SquashfsImage image = SquashfsImage.of(profile);
    String root = roots.require(profile, image);
    Tried what = new Tried(image, profile.mounts());
    if (!tried.contains(what)) {
      try {
        ImageTrial.run(profile, image, command -> start(profile, command, root));
        tried.add(what);
      } catch (SandboxException | InterruptedException e) {
        // Next time the root is looked at again, and made again if it isn't whole.
        roots.forget(image);
        throw e;
      }
    }
    return root;
  }

  /** A link counts as being there: it may lead to where this machine's own files aren't. */
  private void requireProgram(Profile profile, String root, String program)
      throws SandboxException {
    Path folder = machine.folders().data().resolve(root);
    if (program.startsWith("/")
        && !Files.exists(folder.resolve(program.substring(1)), LinkOption.NOFOLLOW_LINKS)) {
      throw SandboxException.permanent(
          "profile "
              + profile.name()
              + " names the program "
              + program
              + ", which the squashfs image "
              + profile.squashfs()
              + " doesn't have; install it there, or name another",
          null);
    }
  }

  private ProcessSandbox start(Profile profile, List<String> command, String root)
      throws SandboxException {
    String id = SandboxId.next();
    try {
      Cgroup cgroup = machine.cgroups().create(machine.self().nameOf(id), profile.sandboxLimits());
      Path pieces = shares ? folders.create() : null;
      try {
        Process process = spawner.start(launcher.process(profile, command, root, cgroup, pieces));
        return new ProcessSandbox(id, process, cgroup, pieces);
      } catch (IOException | RejectedExecutionException e) {
        PieceFolders.remove(pieces);
        cgroup.remove();
        throw e;
      }
    } catch (IOException e) {
      throw SandboxException.passing("no sandbox could be started: " + e.getMessage(), e);
    } catch (RejectedExecutionException e) {
      throw closedException(e);
    }
  }

  private static SandboxException closedException(@Nullable Throwable cause) {
    return SandboxException.permanent("the enroot backend has been closed", cause);
  }

  @Override
  public int reap() throws SandboxException {
    try {
      Path scratch = machine.state().parent();
      return new Reaper(machine.cgroups(), scratch).reap()
          + PieceFolders.reap(scratch)
          + roots.sweep();
    } catch (IOException e) {
      throw SandboxException.passing("leftovers could not be looked for: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SandboxException.passing("interrupted while leftovers were looked for", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    spawner.close();
    folders.close();
    machine.state().delete();
  }
}
