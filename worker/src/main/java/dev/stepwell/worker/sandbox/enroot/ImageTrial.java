package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.process.ProcessSandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Makes one sandbox of an image that this worker hasn't used yet. What enroot says about itself and
 * what a program in a sandbox says can't be told apart later; here nothing but enroot, the image's
 * shell and its Python can fail.
 */
final class ImageTrial {
  private static final String WORD = "sandboxed";

  /** A sandbox takes tenths of a second; a machine that needs this long is of no use. */
  private static final long TIMEOUT_MS = 60_000;

  /** Starts a sandbox that runs the command. */
  interface Starter {
    ProcessSandbox start(List<String> command) throws SandboxException;
  }

  private ImageTrial() {}

  /**
   * Runs it; leaves nothing behind.
   *
   * @throws SandboxException if the sandbox's program didn't run; permanent, but for a machine that
   *     has no room or time
   */
  static void run(Profile profile, SquashfsImage image, Starter starter)
      throws SandboxException, InterruptedException {
    ProcessSandbox sandbox = starter.start(List.of("/bin/sh", "-c", "echo " + WORD));
    try {
      boolean ended = sandbox.awaitEnd(TIMEOUT_MS);
      String said =
          ended ? new String(sandbox.output().readAllBytes(), StandardCharsets.UTF_8) : "";
      if (!said.strip().equals(WORD)) {
        throw failure(profile, image, ended ? (sandbox.diagnostics() + said).strip() : "");
      }
    } catch (IOException e) {
      throw SandboxException.passing("the squashfs image " + image.path() + ": " + e, e);
    } finally {
      sandbox.destroy();
    }
  }

  private static SandboxException failure(Profile profile, SquashfsImage image, String said) {
    String message =
        "enroot can't make a sandbox of the squashfs image "
            + image.path()
            + " of profile "
            + profile.name()
            + "; it says: "
            + (said.isEmpty() ? "nothing, within " + TIMEOUT_MS + " ms" : said)
            + ". The image needs /bin/sh and "
            + profile.python()
            + " with the module ctypes; the machine needs user namespaces (on Debian and Ubuntu:"
            + " sysctl kernel.unprivileged_userns_clone and"
            + " kernel.apparmor_restrict_unprivileged_userns; in a container: a security profile"
            + " that allows them and an unmasked /proc)";
    // A machine under load is slow, or kills; what is wrong with an image has words.
    boolean mayPass =
        said.isEmpty() || said.contains("rootfs lock") || said.contains("Cannot allocate memory");
    return mayPass
        ? SandboxException.passing(message, null)
        : SandboxException.permanent(message, null);
  }
}
