package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend without walls: plain processes of this machine. For tests of the runner alone. */
final class LocalProcesses implements SandboxBackend {
  private static final int DIAGNOSTICS_CHARACTERS = 4096;

  private final Path folder;
  private final AtomicInteger created = new AtomicInteger();

  LocalProcesses(Path folder) {
    this.folder = folder;
  }

  int created() {
    return created.get();
  }

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String description() {
    return "plain processes without walls";
  }

  @Override
  public Sandbox create(Profile profile, List<String> command) throws SandboxException {
    String id = "local-" + created.incrementAndGet();
    Path errors = folder.resolve(id + ".err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.directory(folder.toFile());
    builder.environment().putAll(profile.environment());
    try {
      return new LocalSandbox(id, builder.start(), errors);
    } catch (IOException e) {
      throw SandboxException.passing("no process for " + profile.python(), e);
    }
  }

  @Override
  public int reap() {
    return 0;
  }

  @Override
  public void close() {}

  private record LocalSandbox(String id, Process process, Path errors) implements Sandbox {
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
      return new SandboxUsage(null, null, 0, 0, "none");
    }

    @Override
    public String diagnostics() {
      try {
        String text = Files.readString(errors);
        return text.substring(Math.max(0, text.length() - DIAGNOSTICS_CHARACTERS));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void destroy() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
    }
  }
}
