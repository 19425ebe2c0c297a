package dev.stepwell.worker.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A backend for tests: plain local processes in a folder of their own, no isolation, no limits.
 * Thread-safe. It fails when told to.
 */
public final class FakeBackend implements SandboxBackend {
  private final Map<String, FakeSandbox> live = new ConcurrentHashMap<>();
  private final Queue<SandboxException> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger created = new AtomicInteger();
  private volatile SandboxUsage usage = new SandboxUsage(null, null, 0, 0, "none");
  private volatile boolean closed;

  /** Makes the next call of {@link #create} throw; several calls, several failures, in order. */
  public void failNextCreate(SandboxException failure) {
    failures.add(failure);
  }

  /** What every sandbox says from now on that it has used. */
  public void answerUsage(SandboxUsage answer) {
    usage = answer;
  }

  /** Ids of the sandboxes that have not been destroyed. */
  public Set<String> live() {
    return Set.copyOf(live.keySet());
  }

  /** How many sandboxes have been made. */
  public int created() {
    return created.get();
  }

  /** Ends a sandbox's process behind everybody's back, as a crash would. */
  public void crash(String id) {
    FakeSandbox sandbox = live.get(id);
    if (sandbox != null) {
      sandbox.kill();
    }
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String description() {
    return "local processes without isolation, for tests";
  }

  @Override
  public Sandbox create(Profile profile, List<String> command)
      throws SandboxException, InterruptedException {
    if (closed) {
      throw SandboxException.permanent("the fake backend has been closed", null);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    SandboxException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    String id = SandboxId.next();
    try {
      Path folder = Files.createTempDirectory(id);
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().clear();
      builder.environment().putAll(SandboxEnvironment.of(profile));
      FakeSandbox sandbox = new FakeSandbox(id, builder.start(), folder);
      live.put(id, sandbox);
      created.incrementAndGet();
      return sandbox;
    } catch (IOException e) {
      throw SandboxException.passing("no process could be started: " + e.getMessage(), e);
    }
  }

  @Override
  public int reap() {
    return 0;
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class FakeSandbox implements Sandbox {
    private static final int DIAGNOSTICS_BYTES = 4096;

    private final String id;
    private final Process process;
    private final Path folder;
    private String diagnostics = "";

    FakeSandbox(String id, Process process, Path folder) {
      this.id = id;
      this.process = process;
      this.folder = folder;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public InputStream output() {
      return process.getInputStream();
    }

    @Override
    public OutputStream input() {
      return process.getOutputStream();
    }

    @Override
    public SandboxUsage usage() {
      return usage;
    }

    @Override
    public synchronized String diagnostics() {
      try {
        InputStream errors = process.getErrorStream();
        String more = new String(errors.readNBytes(errors.available()), StandardCharsets.UTF_8);
        String all = diagnostics + more;
        diagnostics = all.substring(Math.max(0, all.length() - DIAGNOSTICS_BYTES));
      } catch (IOException closedMeanwhile) {
        return diagnostics;
      }
      return diagnostics;
    }

    void kill() {
      // Orphans keep the folder they run in, which tells them from everybody else's.
      process.toHandle().destroyForcibly();
      ProcessHandle.allProcesses().filter(this::isInside).forEach(ProcessHandle::destroyForcibly);
    }

    private boolean isInside(ProcessHandle handle) {
      try {
        Path cwd = Path.of("/proc", Long.toString(handle.pid()), "cwd");
        return Files.readSymbolicLink(cwd).startsWith(folder);
      } catch (IOException gone) {
        return false;
      }
    }

    @Override
    public synchronized void destroy() {
      if (!live.containsKey(id)) {
        return;
      }
      boolean interrupted = false;
      while (process.isAlive() || ProcessHandle.allProcesses().anyMatch(this::isInside)) {
        kill();
        try {
          process.waitFor();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      diagnostics();
      removeFolder();
      live.remove(id);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void removeFolder() {
      try (Stream<Path> paths = Files.walk(folder)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
