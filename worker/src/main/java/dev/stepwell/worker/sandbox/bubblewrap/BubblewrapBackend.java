package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.BackendCandidate;
import dev.stepwell.worker.sandbox.ImageNames;
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
import dev.stepwell.worker.sandbox.process.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes sandboxes with bubblewrap, as root or as an ordinary user. Thread-safe.
 *
 * <p>A sandbox has namespaces of its own for users, processes, network, mounts, IPC, host name and
 * control groups; no capability, no way to gain one, a system call filter; a read-only root, and
 * memory-backed {@code /tmp}, {@code /workspace} and {@code /dev/shm} of bounded size. Outside it
 * is an ordinary user's process, also where the worker is root. It dies when the worker does.
 *
 * <p>Where control groups can be made, they limit memory (with swap), processes and processor time
 * of the sandbox as a whole. Elsewhere memory is limited for each process by itself, processor time
 * not at all, and {@code usage()} says {@code rlimit}.
 */
public final class BubblewrapBackend implements SandboxBackend {
  /** The name that users choose it by. */
  public static final String NAME = "bubblewrap";

  private final Machine machine;
  private final Launcher launcher;
  private final Spawner spawner = new Spawner(NAME);
  private final PieceFolders folders;
  private final boolean shares;
  private volatile boolean closed;

  private BubblewrapBackend(Machine machine, Launcher launcher) {
    this.machine = machine;
    this.launcher = launcher;
    this.folders = new PieceFolders(launcher.state().parent());
    // Where the worker is root, its sandboxes are not, and come to their folders on their own.
    this.shares = !machine.root() || folders.passableToOthers();
  }

  /**
   * Opens the backend, and makes and ends one sandbox to see that it can; the caller closes it.
   *
   * @throws SandboxException if this machine can't; the message says what is missing
   */
  public static BubblewrapBackend open(BubblewrapSettings settings) throws SandboxException {
    Machine machine = Machine.inspect(settings);
    StateFolder state = machine.createStateFolder();
    Launcher launcher = new Launcher(settings.bwrap(), state, machine.root());
    BubblewrapBackend backend = new BubblewrapBackend(machine, launcher);
    try {
      new Trial(backend).run();
      return backend;
    } catch (SandboxException | RuntimeException e) {
      backend.close();
      throw e;
    }
  }

  /** Whether {@link #open} would succeed, and why. Takes about as long; leaves nothing behind. */
  public static Availability probe(BubblewrapSettings settings) {
    try (BubblewrapBackend backend = open(settings)) {
      return Availability.usable(backend.description());
    } catch (SandboxException e) {
      return Availability.missing(String.valueOf(e.getMessage()));
    }
  }

  /** This backend, for {@link dev.stepwell.worker.sandbox.BackendChoice}. */
  public static BackendCandidate candidate(BubblewrapSettings settings) {
    return new BackendCandidate(NAME, () -> probe(settings), () -> open(settings));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return launcher.bwrap()
        + " makes sandboxes here; "
        + machine.cgroups().description()
        + (shares
            ? ""
            : "; state is copied into sandboxes, because others can't pass through "
                + launcher.state().parent());
  }

  @Override
  public Sandbox create(Profile profile, List<String> command)
      throws SandboxException, InterruptedException {
    require(profile, command);
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the sandbox was started");
    }
    ProcessSandbox sandbox = start(profile, command);
    if (Thread.interrupted()) {
      sandbox.destroy();
      throw new InterruptedException("interrupted while the sandbox was started");
    }
    return sandbox;
  }

  private void require(Profile profile, List<String> command) throws SandboxException {
    if (closed) {
      throw closedException(null);
    }
    profile.requireMounts();
    Path rootFolder = profile.rootFolder();
    if (rootFolder != null && !Files.isDirectory(rootFolder)) {
      throw SandboxException.permanent(
          "profile "
              + profile.name()
              + " needs the root folder "
              + rootFolder
              + ", which is not there; "
              + ImageNames.wayOut(profile, NAME, rootFolder.toString()),
          null);
    }
    String program = command.get(0);
    if (program.startsWith("/") && !RootFileSystem.holds(rootFolder, program)) {
      throw SandboxException.permanent(
          "profile "
              + profile.name()
              + " names the program "
              + program
              + ", which "
              + (rootFolder == null ? "this machine" : rootFolder)
              + " doesn't have; install it, or name another",
          null);
    }
  }

  private ProcessSandbox start(Profile profile, List<String> command) throws SandboxException {
    String id = SandboxId.next();
    try {
      Cgroup cgroup = machine.cgroups().create(machine.self().nameOf(id), profile.sandboxLimits());
      Path pieces = shares ? folders.create() : null;
      try {
        Process process = spawner.start(launcher.process(profile, command, cgroup, pieces));
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
    return SandboxException.permanent("the bubblewrap backend has been closed", cause);
  }

  @Override
  public int reap() throws SandboxException {
    try {
      Path scratch = launcher.state().parent();
      return new Reaper(machine.cgroups(), scratch).reap() + PieceFolders.reap(scratch);
    } catch (IOException e) {
      throw SandboxException.passing("leftovers could not be looked for: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    closed = true;
    spawner.close();
    folders.close();
    launcher.state().delete();
  }
}
