package dev.stepwell.worker.sandbox.enroot;

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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What this machine offers for enroot; immutable.
 *
 * @param self this process
 * @param user whose the sandboxes are
 * @param folders where enroot works
 * @param state this worker's own folder, which is what enroot takes for its system's configuration
 * @param filter the system call filter for this processor and user, in hexadecimal
 * @param cgroups where control groups are made
 * @param version what the program says it is
 */
record EnrootMachine(
    Owner self,
    SandboxUser user,
    UserFolders folders,
    StateFolder state,
    String filter,
    CgroupTree cgroups,
    String version) {
  private static final long ANSWER_MS = TimeUnit.SECONDS.toMillis(20);

  /** Without these a step's processes would outlive it, or see what isn't theirs. */
  private static final List<String> NEEDED_OPTIONS = List.of("--pid", "--net", "--ipc", "--uts");

  /** What enroot or the script for container roots calls, and where Debian has it. */
  private static final Map<String, String> NEEDED_PROGRAMS =
      Map.of(
          "bash", "bash",
          "flock", "util-linux",
          "mountpoint", "mount or util-linux",
          "unsquashfs", "squashfs-tools",
          "awk", "mawk or gawk");

  /**
   * The mounts of every sandbox beside its root. The root is read-only and has the places; the
   * sizes are set with each start. Nothing of this machine is in it but five devices.
   */
  private static final String FSTAB =
      """
      /dev/null /dev/null none bind,rw,nosuid,noexec,private
      /dev/zero /dev/zero none bind,rw,nosuid,noexec,private
      /dev/full /dev/full none bind,rw,nosuid,noexec,private
      /dev/random /dev/random none bind,rw,nosuid,noexec,private
      /dev/urandom /dev/urandom none bind,rw,nosuid,noexec,private
      devpts /dev/pts devpts newinstance,ptmxmode=0666,mode=620,nosuid,noexec,private
      tmpfs /dev/shm tmpfs size=${STEPWELL_SHARED_MEMORY},mode=1777,nosuid,nodev,private
      tmpfs /tmp tmpfs size=${STEPWELL_DISK},mode=1777,nosuid,nodev,private
      tmpfs /workspace tmpfs size=${STEPWELL_DISK},mode=1777,nosuid,nodev,private
      tmpfs /sys tmpfs ro,size=4k,mode=555,nosuid,nodev,noexec,private
      """;

  /**
   * Looks the machine over and makes the folders; the caller deletes {@link #state}.
   *
   * @throws SandboxException if something is missing that enroot can't do without
   */
  static EnrootMachine inspect(EnrootSettings settings) throws SandboxException {
    Path program = settings.program();
    if (!program.isAbsolute() || !Files.isExecutable(program)) {
      throw SandboxException.permanent(
          "there is no program "
              + program
              + "; install enroot 4.1 or newer, or say in enroot.path where it is",
          null);
    }
    if (!Files.isExecutable(SandboxUser.SETPRIV)) {
      throw SandboxException.permanent(
          "there is no program " + SandboxUser.SETPRIV + "; install util-linux", null);
    }
    SeccompFilter rules = rules();
    SandboxUser user = SandboxUser.resolve(settings.user());
    UserFolders folders = UserFolders.create(settings, user);
    String version = version(program, new Helper(user, folders.environment(folders.user())));
    try {
      Owner self = Owner.self();
      CgroupTree cgroups = settings.cgroups() ? Cgroups.detect(self) : Cgroups.none();
      StateFolder state =
          StateFolder.create(
              settings.scratchFolder(),
              self.nameOf(SandboxId.next()),
              StateFolder.Readers.ALL,
              Map.of(
                  StateFolder.MOUNTS + "/" + StateFolder.FSTAB,
                  FSTAB.getBytes(StandardCharsets.US_ASCII)));
      String filter = HexFormat.of().formatHex(rules.assembleFor(user.uid(), user.gid()));
      return new EnrootMachine(self, user, folders, state, filter, cgroups, version);
    } catch (IOException e) {
      throw SandboxException.permanent(
          "/proc or " + settings.scratchFolder() + " can't be used: " + e.getMessage(), e);
    }
  }

  private static SeccompFilter rules() throws SandboxException {
    String architecture = System.getProperty("os.arch", "unknown");
    return SeccompFilter.of(architecture)
        .orElseThrow(
            () ->
                SandboxException.permanent(
                    "there is no system call filter for processors of type "
                        + architecture
                        + "; use x86-64 or 64-bit ARM, or the docker backend",
                    null));
  }

  private static String version(Path program, Helper helper) throws SandboxException {
    try {
      for (Map.Entry<String, String> needed : NEEDED_PROGRAMS.entrySet()) {
        List<String> look = List.of("/bin/sh", "-c", "command -v \"$0\"", needed.getKey());
        if (helper.run(ANSWER_MS, look).status() != 0) {
          throw SandboxException.permanent(
              "there is no program "
                  + needed.getKey()
                  + ", which enroot needs; install "
                  + needed.getValue(),
              null);
        }
      }
      Helper.Answer version = helper.run(ANSWER_MS, List.of(program.toString(), "version"));
      Helper.Answer help = helper.run(ANSWER_MS, List.of(program.toString(), "start", "--help"));
      if (version.status() != 0 || !version.output().strip().matches("\\d+\\.\\d+\\S*")) {
        throw SandboxException.permanent(
            program + " doesn't run as user " + helper.user().uid() + ": " + version.output(),
            null);
      }
      for (String option : NEEDED_OPTIONS) {
        if (!help.output().contains(option)) {
          throw SandboxException.permanent(
              program
                  + " is enroot "
                  + version.output().strip()
                  + ", which has no option "
                  + option
                  + " and can't isolate; install 4.1 or newer",
              null);
        }
      }
      return version.output().strip();
    } catch (IOException e) {
      throw SandboxException.permanent(program + " can't be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SandboxException.passing("interrupted while looking at enroot", e);
    }
  }
}
