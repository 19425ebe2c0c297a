package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import dev.stepwell.worker.sandbox.process.ProcessSandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes one sandbox, to tell a machine that can't while there is somebody to read why. */
record Trial(BubblewrapBackend backend) {
  /** Ample for a shell that prints a word. */
  private static final SandboxLimits LIMITS = new SandboxLimits(64L << 20, 16, 1_000, 1L << 20);

  private static final String WORD = "sandboxed";

  /** A sandbox takes milliseconds; a machine that needs this long is of no use. */
  private static final long TIMEOUT_MS = 20_000;

  /**
   * Runs it; leaves nothing behind.
   *
   * @throws SandboxException if the sandbox's program didn't run
   */
  void run() throws SandboxException {
    StepLimits.Bounds none = new StepLimits.Bounds(0, 0, 0, 0);
    Profile profile =
        new Profile(
            "trial", "", null, "/bin/sh", List.of(), Map.of(), LIMITS, new StepLimits(none, none));
    ProcessSandbox sandbox = null;
    try {
      sandbox = (ProcessSandbox) backend.create(profile, List.of("/bin/sh", "-c", "echo " + WORD));
      boolean ended = sandbox.awaitEnd(TIMEOUT_MS);
      String said =
          ended
              ? new String(sandbox.output().readAllBytes(), StandardCharsets.UTF_8).strip()
              : "nothing within " + TIMEOUT_MS + " ms";
      if (!said.equals(WORD)) {
        throw failure(sandbox.diagnostics().strip() + said, null);
      }
    } catch (IOException e) {
      throw failure(e.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SandboxException.passing("interrupted while trying out bubblewrap", e);
    } finally {
      if (sandbox != null) {
        sandbox.destroy();
      }
    }
  }

  private static SandboxException failure(String what, @Nullable Throwable cause) {
    return SandboxException.permanent(
        "bubblewrap can't make a sandbox here ("
            + what
            + "); it needs user namespaces (on Debian and Ubuntu: sysctl"
            + " kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns;"
            + " in a container: a security profile that allows them and an unmasked /proc)",
        cause);
  }
}
