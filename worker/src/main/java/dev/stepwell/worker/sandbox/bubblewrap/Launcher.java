package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxEnvironment;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.process.Cgroup;
import dev.stepwell.worker.sandbox.process.StateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the command line that becomes a sandbox; immutable.
 *
 * @param bwrap the program
 * @param state what the sandboxes of this worker share
 * @param root whether this process is root, which a sandbox must not be even seen from outside
 */
record Launcher(Path bwrap, StateFolder state, boolean root) {
  /** Gives root away; part of util-linux. */
  static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  /** Nobody, inside; outside as well where the worker is root. */
  private static final String NOBODY = "65534";

  /** What shared memory of processes gets at most; the usual size in containers. */
  private static final long SHARED_MEMORY_BYTES = 64L << 20;

  private static final int BYTES_PER_KIB = 1024;

  /** Files open at once per process: the usual soft limit, which programs expect. */
  private static final int OPEN_FILES = 1024;

  /**
   * Joins the control groups, sets the limits of single processes, opens what bubblewrap reads, and
   * becomes what follows. It ends if the worker has ended meanwhile: what dies with its parent must
   * have the right one.
   */
  private static final String SCRIPT =
      """
      parent=$1 state=$2 etc=$3 data=$4 joins=$5
      shift 5
      [ "$PPID" = "$parent" ] || exit 125
      while [ "$joins" -gt 0 ]; do
        echo 0 > "$1" || exit 125
        shift
        joins=$((joins - 1))
      done
      ulimit -c 0 && ulimit -n %d || exit 125
      [ "$data" = - ] || ulimit -d "$data" || exit 125
      exec 9< "$state/%s" || exit 125
      [ "$etc" = image ] || exec 8< "$state/%s" 7< "$state/%s" 6< "$state/%s" || exit 125
      exec "$@"
      """
          .formatted(
              OPEN_FILES,
              StateFolder.FILTER,
              StateFolder.USERS,
              StateFolder.GROUPS,
              StateFolder.HOSTS);

  /** Users, groups and host names for a root file system that is the host's. */
  static final List<String> OWN_ETC =
      List.of(
          "--file", "8", "/etc/passwd", "--file", "7", "/etc/group", "--file", "6", "/etc/hosts");

  /**
   * Limits processes from inside: the kernel counts them per user and user namespace, and only
   * inside is the namespace the sandbox's own. Shells differ in the option's letter.
   */
  private static final String PROCESS_LIMIT_SCRIPT =
      """
      ulimit -u "$0" 2>/dev/null || ulimit -p "$0" || exit 125
      exec "$@"
      """;

  private static final List<String> ISOLATION =
      List.of(
          "--unshare-all",
          "--unshare-user",
          "--uid",
          NOBODY,
          "--gid",
          NOBODY,
          "--as-pid-1",
          "--die-with-parent",
          "--new-session",
          "--cap-drop",
          "ALL",
          "--hostname",
          "sandbox",
          "--seccomp",
          "9",
          "--clearenv");

  /**
   * The process to start; its environment holds nothing of the worker's.
   *
   * @param pieces the folder that the sandbox alone sees; null for none
   * @throws IOException if the profile's root folder can't be read
   */
  ProcessBuilder process(
      Profile profile, List<String> command, Cgroup cgroup, @Nullable Path pieces)
      throws IOException {
    boolean limitProcesses = cgroup.joinFiles().isEmpty();
    SandboxLimits limits = profile.sandboxLimits();
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "stepwell-sandbox"));
    line.add(Long.toString(ProcessHandle.current().pid()));
    line.add(state.path().toString());
    line.add(profile.rootFolder() == null ? "host" : "image");
    line.add(limitProcesses ? Long.toString(limits.memoryBytes() / BYTES_PER_KIB) : "-");
    line.add(Integer.toString(cgroup.joinFiles().size()));
    cgroup.joinFiles().forEach(file -> line.add(file.toString()));
    if (root) {
      line.addAll(List.of(SETPRIV.toString(), "--reuid", NOBODY, "--regid", NOBODY));
      line.add("--clear-groups");
    }
    line.add(bwrap.toString());
    line.addAll(options(profile, pieces));
    line.add("--");
    if (limitProcesses) {
      String most = Integer.toString(limits.processes());
      line.addAll(List.of("/bin/sh", "-c", PROCESS_LIMIT_SCRIPT, most));
    }
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).directory(Path.of("/").toFile());
    builder.environment().clear();
    return builder;
  }

  private static List<String> options(Profile profile, @Nullable Path pieces) throws IOException {
    List<String> options = new ArrayList<>(ISOLATION);
    SandboxEnvironment.of(profile)
        .forEach((name, value) -> options.addAll(List.of("--setenv", name, value)));
    Path rootFolder = profile.rootFolder();
    options.addAll(
        rootFolder == null
            ? RootFileSystem.ofHost()
            : RootFileSystem.ofFolder(rootFolder, !profile.mounts().isEmpty()));
    long diskBytes = profile.sandboxLimits().diskBytes();
    options.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"));
    memoryFolder(options, "/dev/shm", Math.min(diskBytes, SHARED_MEMORY_BYTES));
    memoryFolder(options, "/tmp", diskBytes);
    memoryFolder(options, Sandbox.WORKSPACE, diskBytes);
    if (pieces != null) {
      options.addAll(List.of("--ro-bind", pieces.toString(), Sandbox.PIECES));
    }
    profile
        .mounts()
        .forEach(
            (alias, folder) ->
                options.addAll(
                    List.of("--ro-bind", folder.toString(), Sandbox.DATA + "/" + alias)));
    options.addAll(List.of("--remount-ro", "/", "--chdir", Sandbox.WORKSPACE));
    return options;
  }

  private static void memoryFolder(List<String> options, String path, long bytes) {
    options.addAll(List.of("--perms", "1777", "--size", Long.toString(bytes), "--tmpfs", path));
  }
}
