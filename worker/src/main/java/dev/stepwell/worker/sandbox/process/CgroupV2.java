package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.Owner;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Control groups version 2: groups below the one that this process was started in. Thread-safe.
 *
 * <p>A group that hands controllers on must hold no process itself, so that this process moves into
 * a group below its own first. That works where the own group was delegated to it alone, as {@code
 * systemd-run --user --scope -p Delegate=yes} does and a container's own is.
 */
final class CgroupV2 implements CgroupTree {
  private static final Logger LOG = LoggerFactory.getLogger(CgroupV2.class);

  private static final Set<String> NEEDED = Set.of("memory", "pids", "cpu");
  private static final String CONTROLLERS = "cgroup.controllers";
  private static final String HANDED_ON = "cgroup.subtree_control";
  private static final String WORKER = "worker";
  private static final int CPU_PERIOD_US = 100_000;
  private static final int CPU_QUOTA_US_PER_MILLI = CPU_PERIOD_US / 1_000;

  private final Path parent;

  private CgroupV2(Path parent) {
    this.parent = parent;
  }

  /** The tree, if this process's own group can hand on what is needed. */
  static Optional<CgroupTree> detect(CgroupMounts mounts, Owner self) throws IOException {
    Optional<Path> own = mounts.unified();
    if (own.isEmpty()) {
      return Optional.empty();
    }
    Path parent = own.get();
    boolean alreadyMoved = parent.endsWith(self.nameOf(WORKER));
    if (alreadyMoved) {
      parent = parent.getParent();
    }
    if (parent == null
        || !Files.isWritable(parent)
        || !words(parent, CONTROLLERS).containsAll(NEEDED)) {
      return Optional.empty();
    }
    return alreadyMoved || handOn(parent, self)
        ? Optional.of(new CgroupV2(parent))
        : Optional.empty();
  }

  private static Set<String> words(Path folder, String file) throws IOException {
    Path path = folder.resolve(file);
    return Files.isReadable(path) ? Set.of(Files.readString(path).strip().split(" +")) : Set.of();
  }

  /** False if other processes share the group, or it isn't ours to arrange. */
  private static boolean handOn(Path parent, Owner self) {
    if (enable(parent)) {
      return true;
    }
    Path leaf = parent.resolve(self.nameOf(WORKER));
    try {
      createIfAbsent(leaf);
      CgroupFolder.write(leaf, CgroupFolder.PROCESSES, Long.toString(self.pid()));
      if (enable(parent)) {
        return true;
      }
      CgroupFolder.write(parent, CgroupFolder.PROCESSES, Long.toString(self.pid()));
      Files.delete(leaf);
    } catch (IOException e) {
      LOG.debug("control group {} is not ours to arrange", parent, e);
    }
    return false;
  }

  private static void createIfAbsent(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      LOG.debug("{} is there already", folder);
    }
  }

  private static boolean enable(Path parent) {
    try {
      if (!words(parent, HANDED_ON).containsAll(NEEDED)) {
        CgroupFolder.write(parent, HANDED_ON, "+memory +pids +cpu");
      }
      return true;
    } catch (IOException e) {
      LOG.debug("control group {} hands nothing on", parent, e);
      return false;
    }
  }

  @Override
  public String description() {
    return "control groups version 2 limit memory, pids, cpu";
  }

  @Override
  public List<Path> folders() {
    return List.of(parent);
  }

  @Override
  public Cgroup create(String name, SandboxLimits limits) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    try {
      CgroupFolder.write(folder, "memory.max", Long.toString(limits.memoryBytes()));
      CgroupFolder.writeIfPresent(folder, "memory.swap.max", "0");
      CgroupFolder.write(folder, "pids.max", CgroupFolder.processesWithOwn(limits));
      long quotaUs = (long) limits.cpuMillis() * CPU_QUOTA_US_PER_MILLI;
      CgroupFolder.write(folder, "cpu.max", quotaUs + " " + CPU_PERIOD_US);
      return new Group(folder);
    } catch (IOException e) {
      Files.delete(folder);
      throw e;
    }
  }

  /** One sandbox's group. */
  private record Group(Path folder) implements Cgroup {
    private static final double US_PER_MS = 1e3;

    @Override
    public List<Path> joinFiles() {
      return List.of(folder.resolve(CgroupFolder.PROCESSES));
    }

    @Override
    public SandboxUsage usage() {
      OptionalLong cpuUs = CgroupFolder.number(folder, "cpu.stat", "usage_usec");
      OptionalLong peak = CgroupFolder.number(folder, "memory.peak");
      return new SandboxUsage(
          cpuUs.isPresent() ? cpuUs.getAsLong() / US_PER_MS : null,
          peak.isPresent() ? peak.getAsLong() : null,
          CgroupFolder.number(folder, "memory.events", "oom_kill").orElse(0),
          CgroupFolder.number(folder, "pids.events", "max").orElse(0),
          "cgroup");
    }

    @Override
    public void remove() throws IOException {
      CgroupFolder.killAndRemove(folder);
    }
  }
}
