package dev.stepwell.worker.sandbox.docker;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.BindOptions;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.Ulimit;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxEnvironment;
import dev.stepwell.worker.sandbox.SandboxLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a profile becomes a container. */
final class ContainerSpec {
  /** Labels of every container of ours. */
  static final String WORKER = "stepwell.worker";

  static final String PROFILE = "stepwell.profile";

  /** When a running container counts as forgotten, in seconds since 1970. */
  static final String EXPIRES = "stepwell.expires";

  private static final String NOBODY = "65534:65534";

  /** What shared memory of processes gets at most; the usual size in containers. */
  private static final long SHARED_MEMORY_BYTES = 64L << 20;

  /** Files and folders are memory too, whatever their size; about one page each. */
  private static final long BYTES_PER_FILE = 4096;

  /** Files open at once per process: the usual soft limit, which programs expect. */
  private static final long OPEN_FILES = 1024;

  private static final long NANO_CPUS_PER_MILLI = 1_000_000;
  private static final String SECCOMP = SeccompProfile.json();

  private ContainerSpec() {}

  /**
   * Fills the command in.
   *
   * @param pieces the folder that the sandbox alone sees; null for none
   */
  static CreateContainerCmd fill(
      CreateContainerCmd create,
      Profile profile,
      List<String> command,
      Map<String, String> labels,
      @Nullable Path pieces) {
    return create
        .withHostName("sandbox")
        .withUser(NOBODY)
        .withWorkingDir(Sandbox.WORKSPACE)
        .withEnv(
            SandboxEnvironment.of(profile).entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList())
        // The image's own command is left out with its entry point.
        .withEntrypoint(command)
        .withLabels(labels)
        .withTty(false)
        .withStdinOpen(true)
        // The engine closes the container's standard input when the worker goes.
        .withStdInOnce(true)
        .withAttachStdin(true)
        .withAttachStdout(true)
        .withAttachStderr(true)
        // Without this, an engine makes a network namespace twice as slowly for mode none.
        .withNetworkDisabled(true)
        .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
        .withHostConfig(host(profile.sandboxLimits(), mounts(profile, pieces)));
  }

  private static HostConfig host(SandboxLimits limits, List<Mount> mounts) {
    return HostConfig.newHostConfig()
        .withNetworkMode("none")
        .withReadonlyRootfs(true)
        .withMounts(mounts)
        .withTmpFs(
            Map.of(
                "/tmp",
                memoryFolder(limits.diskBytes()),
                Sandbox.WORKSPACE,
                memoryFolder(limits.diskBytes())))
        .withShmSize(Math.min(limits.diskBytes(), SHARED_MEMORY_BYTES))
        .withIpcMode("private")
        .withCapDrop(Capability.ALL)
        .withSecurityOpts(List.of("no-new-privileges:true", "seccomp=" + SECCOMP))
        .withMemory(limits.memoryBytes())
        // Memory and swap together: no swap.
        .withMemorySwap(limits.memoryBytes())
        .withPidsLimit((long) limits.processes())
        .withNanoCPUs(limits.cpuMillis() * NANO_CPUS_PER_MILLI)
        .withUlimits(
            List.of(new Ulimit("core", 0L, 0L), new Ulimit("nofile", OPEN_FILES, OPEN_FILES)))
        // The command is process 1 itself.
        .withInit(false)
        .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE));
  }

  private static List<Mount> mounts(Profile profile, @Nullable Path pieces) {
    List<Mount> mounts = new ArrayList<>();
    if (pieces != null) {
      mounts.add(readOnly(pieces, Sandbox.PIECES));
    }
    profile
        .mounts()
        .forEach((alias, folder) -> mounts.add(readOnly(folder, Sandbox.DATA + "/" + alias)));
    return mounts;
  }

  /** Unlike a volume, a mount fails where the engine doesn't see the folder; it makes none. */
  private static Mount readOnly(Path folder, String target) {
    return new Mount()
        .withType(MountType.BIND)
        .withSource(folder.toString())
        .withTarget(target)
        .withReadOnly(true)
        .withBindOptions(new FolderAlone());
  }

  /**
   * Leaves out what is mounted below a folder: engines before 25 make the folder read-only and not
   * what is below it.
   */
  private static final class FolderAlone extends BindOptions {
    private static final long serialVersionUID = 1L;

    @JsonProperty("NonRecursive")
    boolean isNonRecursive() {
      return true;
    }
  }

  private static String memoryFolder(long bytes) {
    // The mode that a folder has in the image, or gets there, wins over one given here; the owner
    // doesn't.
    return "rw,exec,nosuid,nodev,uid=65534,gid=65534,size="
        + bytes
        + ",nr_inodes="
        + bytes / BYTES_PER_FILE;
  }
}
