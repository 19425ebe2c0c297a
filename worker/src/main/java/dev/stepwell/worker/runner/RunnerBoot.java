package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Starts sandboxes and boots the runner in them. Thread-safe.
 *
 * <p>The runner is compiled once per profile, by whichever thread comes first; the others wait.
 */
public final class RunnerBoot implements RunnerStarter, AutoCloseable {
  // Sets iterate alike in every step of a session, and in every attempt at a step, only under one
  // seed. A flood of colliding keys hurts nobody but the step that makes it.
  private static final Map<String, String> FIXED_HASHES = Map.of("PYTHONHASHSEED", "0");

  private final SandboxBackend backend;
  private final RunnerTimeouts timeouts;
  private final Watchdog watchdog = new Watchdog();
  private final RunnerCompiler compiler;
  private final ConcurrentMap<Profile, FutureTask<CompiledRunner>> compiled =
      new ConcurrentHashMap<>();

  /** Boots runners in the backend's sandboxes. Closing this leaves the backend open. */
  public RunnerBoot(SandboxBackend backend, RunnerTimeouts timeouts) {
    this.backend = backend;
    this.timeouts = timeouts;
    this.compiler = new RunnerCompiler(backend, watchdog, timeouts);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The failure is permanent if the profile's interpreter is no CPython 3.11 or newer, or lacks
   * a module that the profile imports ahead.
   */
  @Override
  public ReadyRunner start(Profile profile) throws SandboxException, InterruptedException {
    Profile seeded = withFixedHashes(profile);
    CompiledRunner runner = compiled(seeded);
    Sandbox sandbox = backend.create(seeded, command(seeded, RunnerSource.bootstrap()));
    boolean ready = false;
    try {
      FrameChannel channel = new FrameChannel(sandbox);
      Fields said = boot(channel, sandbox, seeded, runner);
      ready = true;
      boolean places = said.text("places", "0").equals("1");
      return new ReadyRunner(sandbox, channel, watchdog, timeouts, places);
    } finally {
      if (!ready) {
        sandbox.destroy();
      }
    }
  }

  /** Stops the watchdog. Runners that are still there are no longer limited. */
  @Override
  public void close() {
    watchdog.close();
  }

  /** Starts the profile's interpreter without the user's site folder and without writing caches. */
  static List<String> command(Profile profile, String source) {
    return List.of(profile.python(), "-s", "-P", "-B", "-c", source);
  }

  private Fields boot(FrameChannel channel, Sandbox sandbox, Profile profile, CompiledRunner runner)
      throws SandboxException {
    Future<?> deadline = watchdog.after(timeouts.bootMs(), sandbox::destroy);
    try {
      channel.writeProgram(runner.program());
      Fields.Writer boot = new Fields.Writer();
      for (String module : profile.imports()) {
        boot.add("import", module);
      }
      channel.write('B', boot.payload());
      channel.flush();
      Frame answer = channel.read();
      if (answer.type() != 'R') {
        throw new ChannelViolation("a frame " + answer.type() + " instead of being ready");
      }
      Fields ready = Fields.parse(answer.payload());
      checkImports(profile, ready);
      return ready;
    } catch (IOException e) {
      throw SandboxException.passing(
          "sandbox "
              + sandbox.id()
              + " of profile "
              + profile.name()
              + " was not ready within "
              + timeouts.bootMs()
              + " ms: "
              + e.getMessage()
              + "; it said: "
              + sandbox.diagnostics(),
          e);
    } finally {
      deadline.cancel(false);
    }
  }

  private static void checkImports(Profile profile, Fields ready) throws SandboxException {
    List<String> failed = ready.texts("importError");
    if (!failed.isEmpty()) {
      throw SandboxException.permanent(
          "profile "
              + profile.name()
              + " imports ahead what its Python can't import: "
              + String.join("; ", failed),
          null);
    }
  }

  private CompiledRunner compiled(Profile profile) throws SandboxException, InterruptedException {
    FutureTask<CompiledRunner> own = new FutureTask<>(() -> compiler.compile(profile));
    FutureTask<CompiledRunner> known = compiled.putIfAbsent(profile, own);
    FutureTask<CompiledRunner> task = known == null ? own : known;
    // Does nothing where another thread runs it or has run it.
    task.run();
    try {
      return task.get();
    } catch (ExecutionException e) {
      compiled.remove(profile, task);
      if (e.getCause() instanceof InterruptedException interrupted && task == own) {
        throw interrupted;
      }
      throw failure(profile, e.getCause() == null ? e : e.getCause());
    }
  }

  private static SandboxException failure(Profile profile, Throwable cause) {
    String message = "profile " + profile.name() + " has no runner: " + cause.getMessage();
    return cause instanceof SandboxException known && known.permanent()
        ? SandboxException.permanent(message, cause)
        : SandboxException.passing(message, cause);
  }

  private static Profile withFixedHashes(Profile profile) {
    Map<String, String> environment = new HashMap<>(FIXED_HASHES);
    environment.putAll(profile.environment());
    return profile.withEnvironment(environment);
  }
}
