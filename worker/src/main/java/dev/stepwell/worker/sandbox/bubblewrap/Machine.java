package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.Owner;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxId;
import dev.stepwell.worker.sandbox.process.CgroupTree;
import dev.stepwell.worker.sandbox.process.Cgroups;
import dev.stepwell.worker.sandbox.process.SeccompFilter;
import dev.stepwell.worker.sandbox.process.StateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What this machine offers for bubblewrap; immutable.
 *
 * @param settings what the user set
 * @param self this process
 * @param root whether this process is root
 * @param filter the system call filter for this processor
 * @param cgroups where control groups are made
 */
record Machine(
    BubblewrapSettings settings,
    Owner self,
    boolean root,
    SeccompFilter filter,
    CgroupTree cgroups) {
  private static final int ROOT_UID = 0;

  /**
   * Looks the machine over.
   *
   * @throws SandboxException if something is missing that bubblewrap can't do without
   */
  static Machine inspect(BubblewrapSettings settings) throws SandboxException {
    requireProgram(settings.bwrap(), "bubblewrap");
    String architecture = System.getProperty("os.arch", "unknown");
    SeccompFilter filter =
        SeccompFilter.of(architecture)
            .orElseThrow(
                () ->
                    SandboxException.permanent(
                        "there is no system call filter for processors of type "
                            + architecture
                            + "; use x86-64 or 64-bit ARM, or the docker backend",
                        null));
    try {
      boolean root =
          Integer.valueOf(ROOT_UID).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
      if (root) {
        requireProgram(Launcher.SETPRIV, "util-linux");
      }
      Owner self = Owner.self();
      CgroupTree cgroups = settings.cgroups() ? Cgroups.detect(self) : Cgroups.none();
      return new Machine(settings, self, root, filter, cgroups);
    } catch (IOException e) {
      throw SandboxException.permanent("/proc can't be read: " + e.getMessage(), e);
    }
  }

  private static void requireProgram(Path program, String debianPackage) throws SandboxException {
    if (!Files.isExecutable(program)) {
      throw SandboxException.permanent(
          "there is no program "
              + program
              + "; install it (on Debian and Ubuntu: apt-get install "
              + debianPackage
              + ")",
          null);
    }
  }

  /**
   * Makes the backend's private folder.
   *
   * @throws SandboxException if it can't be made
   */
  StateFolder createStateFolder() throws SandboxException {
    try {
      String name = self.nameOf(SandboxId.next());
      return StateFolder.create(
          settings.stateFolder(),
          name,
          StateFolder.Readers.SELF,
          Map.of(
              StateFolder.FILTER,
              filter.assemble(),
              StateFolder.USERS,
              text("nobody:x:65534:65534:nobody:/workspace:/bin/sh\n"),
              StateFolder.GROUPS,
              text("nogroup:x:65534:\n"),
              StateFolder.HOSTS,
              text("127.0.0.1 localhost sandbox\n::1 localhost\n")));
    } catch (IOException e) {
      throw SandboxException.permanent(
          "no folder can be made in " + settings.stateFolder() + ": " + e.getMessage(), e);
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
