package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.PieceFolders;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process tree that one program made and waits for. Thread-safe, but for the two streams.
 *
 * <p>The program's child is the first process of a pid namespace, so that the kernel ends every
 * other one with it; and the child dies with the program.
 */
public final class ProcessSandbox implements Sandbox {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessSandbox.class);
  private static final int DIAGNOSTICS_BYTES = 4 << 10;

  /** By then the program has made its child, or never will. */
  private static final long SETUP_NS = TimeUnit.SECONDS.toNanos(2);

  /** By then the kernel has ended what was killed, unless a device or disk holds it. */
  private static final long END_NS = TimeUnit.SECONDS.toNanos(30);

  private static final long POLL_MS = 1;

  private final String id;
  private final Process process;
  private final Cgroup cgroup;
  private final @Nullable Path pieces;
  private final Object ending = new Object();
  private final Object reading = new Object();

  /** What was used, once destroyed; guarded by {@link #ending}. */
  private @Nullable SandboxUsage finalUsage;

  /** The end of standard error; guarded by {@link #reading}. */
  private byte[] diagnostics = new byte[0];

  /**
   * Takes over what was started.
   *
   * @param id what it is called
   * @param process the program that waits outside
   * @param cgroup what limits and measures it; removed with it
   * @param pieces its folder of pieces; removed with it; null for none
   */
  public ProcessSandbox(String id, Process process, Cgroup cgroup, @Nullable Path pieces) {
    this.id = id;
    this.process = process;
    this.cgroup = cgroup;
    this.pieces = pieces;
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
  public @Nullable Path pieceFolder() {
    return pieces;
  }

  /** Waits until every process has ended; false if {@code timeoutMs} milliseconds pass before. */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public SandboxUsage usage() {
    synchronized (ending) {
      return finalUsage == null ? cgroup.usage() : finalUsage;
    }
  }

  @Override
  public String diagnostics() {
    synchronized (reading) {
      try {
        takeInErrors();
      } catch (IOException e) {
        LOG.debug("{}: standard error is closed", id, e);
      }
      return new String(diagnostics, StandardCharsets.UTF_8);
    }
  }

  /** Takes what is there without waiting for more. */
  private void takeInErrors() throws IOException {
    InputStream errors = process.getErrorStream();
    for (int available = errors.available(); available > 0; available = errors.available()) {
      byte[] more = errors.readNBytes(Math.min(available, DIAGNOSTICS_BYTES));
      int kept = Math.min(diagnostics.length, DIAGNOSTICS_BYTES - more.length);
      byte[] joined = new byte[kept + more.length];
      System.arraycopy(diagnostics, diagnostics.length - kept, joined, 0, kept);
      System.arraycopy(more, 0, joined, kept, more.length);
      diagnostics = joined;
    }
  }

  @Override
  public void destroy() {
    boolean interrupted = Thread.interrupted();
    try {
      synchronized (ending) {
        if (finalUsage == null) {
          interrupted |= endProcesses();
          finalUsage = cgroup.usage();
          remove();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Kills the sandbox's first process: the kernel then ends every other one in its pid namespace
   * before the program, which waits outside, sees the end. The program itself is killed only if it
   * has no child: between making one and tying it to its own life, it would leave it behind.
   *
   * @return whether this thread was interrupted meanwhile
   */
  private boolean endProcesses() {
    boolean interrupted = false;
    long start = System.nanoTime();
    while (process.isAlive()) {
      List<ProcessHandle> first = children();
      long elapsedNs = System.nanoTime() - start;
      first.forEach(ProcessHandle::destroyForcibly);
      if (first.isEmpty() && elapsedNs > SETUP_NS) {
        process.toHandle().destroyForcibly();
      }
      if (elapsedNs > END_NS) {
        LOG.warn("sandbox {} was killed and has not ended; it is left behind", id);
        break;
      }
      try {
        process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  /** One once the sandbox is there; while it is being made also the helpers of a script. */
  private List<ProcessHandle> children() {
    String pid = Long.toString(process.pid());
    Path children = Path.of("/proc", pid, "task", pid, "children");
    try {
      return Arrays.stream(Files.readString(children).split(" ", -1))
          .filter(child -> !child.isBlank())
          .flatMap(child -> ProcessHandle.of(Long.parseLong(child.strip())).stream())
          .toList();
    } catch (IOException e) {
      // Kernels may be built without that file; then all processes are looked through.
      LOG.trace("{} can't be read", children, e);
      return process.children().toList();
    }
  }

  private void remove() {
    try {
      cgroup.remove();
    } catch (IOException e) {
      LOG.warn("the control group of sandbox {} is left behind", id, e);
    }
    PieceFolders.remove(pieces);
    synchronized (reading) {
      try {
        takeInErrors();
        process.getErrorStream().close();
      } catch (IOException e) {
        LOG.debug("{}: standard error is closed", id, e);
      }
    }
    close(process.getInputStream());
    close(process.getOutputStream());
  }

  private void close(AutoCloseable stream) {
    try {
      stream.close();
    } catch (Exception e) {
      // What was written and not yet passed on has nobody left to go to.
      LOG.debug("{}: a stream had failed before it was closed", id, e);
    }
  }
}
