package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;

/**
 * Compiles the runner with a profile's own interpreter, in a sandbox that never sees a step.
 * Thread-safe.
 */
final class RunnerCompiler {
  private final SandboxBackend backend;
  private final Watchdog watchdog;
  private final RunnerTimeouts timeouts;

  RunnerCompiler(SandboxBackend backend, Watchdog watchdog, RunnerTimeouts timeouts) {
    this.backend = backend;
    this.watchdog = watchdog;
    this.timeouts = timeouts;
  }

  CompiledRunner compile(Profile profile) throws SandboxException, InterruptedException {
    Sandbox sandbox = backend.create(profile, RunnerBoot.command(profile, RunnerSource.compiler()));
    Future<?> deadline = watchdog.after(timeouts.bootMs(), sandbox::destroy);
    try {
      FrameChannel channel = new FrameChannel(sandbox);
      channel.writeProgram(RunnerSource.modules());
      channel.flush();
      Frame answer = channel.read();
      if (answer.type() != 'C') {
        throw new ChannelViolation("a frame " + answer.type() + " instead of the compiled runner");
      }
      return compiled(profile, Fields.parse(answer.payload()));
    } catch (IOException e) {
      throw SandboxException.passing(
          "the runner could not be compiled by "
              + profile.python()
              + " of profile "
              + profile.name()
              + " within "
              + timeouts.bootMs()
              + " ms: "
              + e.getMessage()
              + "; it said: "
              + sandbox.diagnostics(),
          e);
    } finally {
      deadline.cancel(false);
      sandbox.destroy();
    }
  }

  private static CompiledRunner compiled(Profile profile, Fields answer) throws SandboxException {
    String python = answer.text("python", "unknown");
    byte[] code = answer.bytes("code");
    if (code != null) {
      return new CompiledRunner(python, code);
    }
    List<String> missing = answer.texts("missing");
    String who =
        profile.python()
            + " of profile "
            + profile.name()
            + " is "
            + answer.text("implementation", "an unknown implementation")
            + " "
            + python;
    throw SandboxException.permanent(
        missing.isEmpty()
            ? who + "; the runner needs CPython 3.11 or newer"
            : who + " without the standard modules " + String.join(", ", missing),
        null);
  }
}
