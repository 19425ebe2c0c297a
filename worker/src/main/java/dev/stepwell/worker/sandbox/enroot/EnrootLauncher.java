package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxEnvironment;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.process.Cgroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the command line that becomes a sandbox; immutable.
 *
 * @param program enroot
 * @param machine what the sandboxes of this worker share
 */
record EnrootLauncher(Path program, EnrootMachine machine) {
  private static final String ENTER = Scripts.read("enter.py");

  /** What shared memory of processes gets at most; the usual size in containers. */
  private static final long SHARED_MEMORY_BYTES = 64L << 20;

  private static final int BYTES_PER_KIB = 1024;

  /** Files open at once per process: the usual soft limit, which programs expect. */
  private static final int OPEN_FILES = 1024;

  /**
   * Of the processes that the kernel counts in the sandbox's user namespace, one is enroot's, which
   * waits outside of its pid namespace.
   */
  private static final int OWN_PROCESSES = 1;

  /** Joins the control groups, as the worker's user, and sets the limits of single processes. */
  private static final String SCRIPT =
      """
      parent=$1 data=$2 joins=$3
      shift 3
      [ "$PPID" = "$parent" ] || exit 125
      while [ "$joins" -gt 0 ]; do
        echo 0 > "$1" || exit 125
        shift
        joins=$((joins - 1))
      done
      ulimit -c 0 && ulimit -n %d || exit 125
      [ "$data" = - ] || ulimit -d "$data" || exit 125
      exec "$@"
      """
          .formatted(OPEN_FILES);

  /** The signal at the parent's end is set by now: one that ended before would never cause it. */
  private static final String STILL_THERE_SCRIPT =
      """
      [ "$PPID" = "$0" ] || exit 125
      exec "$@"
      """;

  /** In the sandbox, where {@code PATH} is the image's own until now. */
  private static final String PATH_SCRIPT =
      """
      PATH=$0
      export PATH
      exec "$@"
      """;

  /** The process to start; its environment holds nothing of the worker's. */
  ProcessBuilder process(
      Profile profile, List<String> command, String root, Cgroup cgroup, @Nullable Path pieces) {
    boolean groups = !cgroup.joinFiles().isEmpty();
    SandboxLimits limits = profile.sandboxLimits();
    String worker = Long.toString(ProcessHandle.current().pid());
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "stepwell-sandbox"));
    line.add(worker);
    line.add(groups ? "-" : Long.toString(limits.memoryBytes() / BYTES_PER_KIB));
    line.add(Integer.toString(cgroup.joinFiles().size()));
    cgroup.joinFiles().forEach(file -> line.add(file.toString()));
    line.addAll(machine.user().mortalPrefix());
    line.addAll(List.of("/bin/sh", "-c", STILL_THERE_SCRIPT, worker, program.toString(), "start"));
    line.addAll(List.of("--pid", "--net", "--ipc", "--uts"));
    if (pieces != null) {
      line.addAll(List.of("--mount", readOnly(pieces, Sandbox.PIECES) + ",noexec"));
    }
    line.addAll(mounts(profile));
    line.addAll(List.of("--", root));
    line.addAll(entering(profile, command, groups));
    ProcessBuilder builder = new ProcessBuilder(line).directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(machine.folders().environment(machine.state().path()));
    long sharedBytes = Math.min(limits.diskBytes(), SHARED_MEMORY_BYTES);
    builder.environment().put("STEPWELL_DISK", Long.toString(limits.diskBytes()));
    builder.environment().put("STEPWELL_SHARED_MEMORY", Long.toString(sharedBytes));
    return builder;
  }

  private static String readOnly(Path source, String destination) {
    return source + ":" + destination + ":none:x-create=dir,bind,ro,nosuid,nodev,private";
  }

  /**
   * The profile's own mounts, in a folder of memory: in the container root, their places would stay
   * for the sandboxes of other profiles to see.
   */
  private static List<String> mounts(Profile profile) {
    List<String> options = new ArrayList<>();
    if (!profile.mounts().isEmpty()) {
      String places = ":" + Sandbox.DATA + ":";
      options.addAll(List.of("--mount", "tmpfs" + places + "tmpfs:size=64k,mode=755,nosuid,nodev"));
      profile
          .mounts()
          .forEach(
              (alias, folder) ->
                  options.addAll(List.of("--mount", readOnly(folder, Sandbox.DATA + "/" + alias))));
      options.addAll(List.of("--mount", "none" + places + "none:remount,bind,ro,nosuid,nodev"));
    }
    return options;
  }

  private List<String> entering(Profile profile, List<String> command, boolean groups) {
    Map<String, String> environment = SandboxEnvironment.of(profile);
    int most = profile.sandboxLimits().processes() + OWN_PROCESSES;
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", PATH_SCRIPT));
    line.add(environment.getOrDefault("PATH", ""));
    line.addAll(List.of(profile.python(), "-I", "-S", "-B", "-c", ENTER));
    line.add(machine.filter());
    line.add(groups ? "-" : Integer.toString(most));
    line.add(Sandbox.WORKSPACE);
    line.add(Integer.toString(environment.size()));
    environment.forEach((name, value) -> line.add(name + "=" + value));
    line.addAll(command);
    return line;
  }
}
