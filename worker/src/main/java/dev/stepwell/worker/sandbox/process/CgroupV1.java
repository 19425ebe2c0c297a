package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Control groups version 1: one folder per hierarchy, beside those of this process. Thread-safe.
 *
 * <p>Without the memory and pids controllers there is no such tree; cpu and cpuacct are used where
 * they are writable.
 */
final class CgroupV1 implements CgroupTree {
  static final String MEMORY = "memory";
  static final String PIDS = "pids";
  static final String CPU = "cpu";
  static final String CPU_ACCOUNTING = "cpuacct";

  private static final int CPU_PERIOD_US = 100_000;
  private static final int CPU_QUOTA_US_PER_MILLI = CPU_PERIOD_US / 1_000;

  private final Map<String, Path> parents;

  private CgroupV1(Map<String, Path> parents) {
    this.parents = parents;
  }

  /** The tree, if this process may make groups for memory and processes. */
  static Optional<CgroupTree> detect(CgroupMounts mounts) {
    Map<String, Path> writable = new LinkedHashMap<>();
    for (String controller : List.of(MEMORY, PIDS, CPU, CPU_ACCOUNTING)) {
      Path folder = mounts.perController().get(controller);
      if (folder != null && Files.isWritable(folder)) {
        writable.put(controller, folder);
      }
    }
    return writable.containsKey(MEMORY) && writable.containsKey(PIDS)
        ? Optional.of(new CgroupV1(writable))
        : Optional.empty();
  }

  @Override
  public String description() {
    return "control groups version 1 limit " + String.join(", ", parents.keySet());
  }

  @Override
  public List<Path> folders() {
    return List.copyOf(new TreeSet<>(parents.values()));
  }

  @Override
  public Cgroup create(String name, SandboxLimits limits) throws IOException {
    Map<String, Path> folders = new LinkedHashMap<>();
    parents.forEach((controller, parent) -> folders.put(controller, parent.resolve(name)));
    Group group = new Group(folders);
    try {
      for (Path folder : group.distinct()) {
        Files.createDirectory(folder);
      }
      limit(folders, limits);
      return group;
    } catch (IOException e) {
      group.removeAfter(e);
      throw e;
    }
  }

  private static void limit(Map<String, Path> folders, SandboxLimits limits) throws IOException {
    for (Map.Entry<String, Path> entry : folders.entrySet()) {
      Path folder = entry.getValue();
      switch (entry.getKey()) {
        case MEMORY -> {
          String bytes = Long.toString(limits.memoryBytes());
          CgroupFolder.write(folder, "memory.limit_in_bytes", bytes);
          CgroupFolder.writeIfPresent(folder, "memory.memsw.limit_in_bytes", bytes);
          CgroupFolder.writeIfPresent(folder, "memory.swappiness", "0");
        }
        case PIDS -> CgroupFolder.write(folder, "pids.max", CgroupFolder.processesWithOwn(limits));
        case CPU -> {
          CgroupFolder.write(folder, "cpu.cfs_period_us", Integer.toString(CPU_PERIOD_US));
          CgroupFolder.write(
              folder,
              "cpu.cfs_quota_us",
              Long.toString((long) limits.cpuMillis() * CPU_QUOTA_US_PER_MILLI));
        }
        default -> {
          // cpuacct counts and has no limit.
        }
      }
    }
  }

  /** One sandbox's group in each hierarchy. */
  private record Group(Map<String, Path> byController) implements Cgroup {
    private static final double NS_PER_MS = 1e6;

    /** Hierarchies may be mounted together, such as cpu and cpuacct. */
    TreeSet<Path> distinct() {
      return new TreeSet<>(byController.values());
    }

    @Override
    public List<Path> joinFiles() {
      return distinct().stream().map(folder -> folder.resolve(CgroupFolder.PROCESSES)).toList();
    }

    @Override
    public SandboxUsage usage() {
      Path memory = folder(MEMORY);
      Path accounting = byController.get(CPU_ACCOUNTING);
      OptionalLong cpuNs =
          accounting == null
              ? OptionalLong.empty()
              : CgroupFolder.number(accounting, "cpuacct.usage");
      OptionalLong peak = CgroupFolder.number(memory, "memory.max_usage_in_bytes");
      return new SandboxUsage(
          cpuNs.isPresent() ? cpuNs.getAsLong() / NS_PER_MS : null,
          peak.isPresent() ? peak.getAsLong() : null,
          CgroupFolder.number(memory, "memory.oom_control", "oom_kill").orElse(0),
          CgroupFolder.number(folder(PIDS), "pids.events", "max").orElse(0),
          "cgroup");
    }

    private Path folder(String controller) {
      Path folder = byController.get(controller);
      if (folder == null) {
        throw new IllegalStateException("a group without " + controller);
      }
      return folder;
    }

    @Override
    public void remove() throws IOException {
      for (Path folder : distinct()) {
        CgroupFolder.killAndRemove(folder);
      }
    }

    void removeAfter(IOException failure) {
      try {
        remove();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
