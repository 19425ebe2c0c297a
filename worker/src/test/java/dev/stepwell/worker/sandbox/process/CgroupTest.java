package dev.stepwell.worker.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.sandbox.Owner;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from and written to control groups, on folders that look like them. */
final class CgroupTest {
  private static final SandboxLimits LIMITS = new SandboxLimits(64L << 20, 20, 1_500, 1 << 20);

  @TempDir private Path root;

  private Path folder(String name, Map<String, String> files) throws IOException {
    Path folder = Files.createDirectories(root.resolve(name));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    return folder;
  }

  private static String read(Path folder, String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  @Test
  void mounts_version1_findTheOwnGroups() {
    CgroupMounts mounts =
        CgroupMounts.parse(
            List.of(
                "30 25 0:26 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct",
                "31 25 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
                "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
                "33 25 0:29 / /proc rw - proc proc rw"),
            List.of("5:memory:/docker/abc/inner", "3:cpu,cpuacct:/user", "0::/init.scope"));
    assertThat(mounts.perController())
        .isEqualTo(
            Map.of(
                "cpu", Path.of("/sys/fs/cgroup/cpu,cpuacct/user"),
                "cpuacct", Path.of("/sys/fs/cgroup/cpu,cpuacct/user"),
                "memory", Path.of("/sys/fs/cgroup/memory/inner")));
    assertThat(mounts.unified()).contains(Path.of("/sys/fs/cgroup/unified/init.scope"));
  }

  @Test
  void mounts_version2_findTheOwnGroup() {
    CgroupMounts mounts =
        CgroupMounts.parse(
            List.of("24 20 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate"),
            List.of("0::/user.slice/run.scope"));
    assertThat(mounts.perController()).isEmpty();
    assertThat(mounts.unified()).contains(Path.of("/sys/fs/cgroup/user.slice/run.scope"));
  }

  @Test
  void version1_setsLimits_andReadsUsage() throws IOException {
    Path memory = folder("memory", Map.of());
    Path pids = folder("pids", Map.of());
    Path cpu = folder("cpu", Map.of());
    CgroupMounts mounts =
        new CgroupMounts(
            Map.of("memory", memory, "pids", pids, "cpu", cpu, "cpuacct", cpu), Optional.empty());
    Cgroup group = CgroupV1.detect(mounts).orElseThrow().create("box", LIMITS);
    assertThat(read(memory.resolve("box"), "memory.limit_in_bytes")).isEqualTo("67108864");
    assertThat(read(pids.resolve("box"), "pids.max")).isEqualTo("21");
    assertThat(read(cpu.resolve("box"), "cpu.cfs_quota_us")).isEqualTo("150000");
    assertThat(group.joinFiles()).hasSize(3);
    folder("memory/box", Map.of("memory.oom_control", "under_oom 0\noom_kill 2\n"));
    folder("memory/box", Map.of("memory.max_usage_in_bytes", "4096\n"));
    folder("pids/box", Map.of("pids.events", "max 7\n"));
    folder("cpu/box", Map.of("cpuacct.usage", "2500000\n"));
    assertThat(group.usage()).isEqualTo(new SandboxUsage(2.5, 4096L, 2, 7, "cgroup"));
  }

  @Test
  void version1_withoutProcessLimit_isNotUsed() throws IOException {
    CgroupMounts mounts =
        new CgroupMounts(Map.of("memory", folder("memory", Map.of())), Optional.empty());
    assertThat(CgroupV1.detect(mounts)).isEmpty();
  }

  private CgroupMounts version2(Map<String, String> files) throws IOException {
    return new CgroupMounts(Map.of(), Optional.of(folder("own", files)));
  }

  @Test
  void version2_setsLimits_andReadsUsage() throws IOException {
    CgroupMounts mounts =
        version2(
            Map.of(
                "cgroup.controllers", "cpuset cpu io memory pids\n",
                "cgroup.subtree_control", "\n"));
    Cgroup group = CgroupV2.detect(mounts, Owner.self()).orElseThrow().create("box", LIMITS);
    Path box = root.resolve("own/box");
    assertThat(read(root.resolve("own"), "cgroup.subtree_control")).isEqualTo("+memory +pids +cpu");
    assertThat(read(box, "memory.max")).isEqualTo("67108864");
    assertThat(read(box, "pids.max")).isEqualTo("21");
    assertThat(read(box, "cpu.max")).isEqualTo("150000 100000");
    assertThat(group.joinFiles()).containsExactly(box.resolve("cgroup.procs"));
    folder("own/box", Map.of("memory.events", "low 0\noom 3\noom_kill 2\n"));
    folder("own/box", Map.of("memory.peak", "8192\n", "pids.events", "max 7\n"));
    folder("own/box", Map.of("cpu.stat", "usage_usec 2500\nuser_usec 1\n"));
    assertThat(group.usage()).isEqualTo(new SandboxUsage(2.5, 8192L, 2, 7, "cgroup"));
  }

  @Test
  void version2_withoutControllers_isNotUsed() throws IOException {
    assertThat(CgroupV2.detect(version2(Map.of("cgroup.controllers", "pids\n")), Owner.self()))
        .isEmpty();
  }

  @Test
  void version2_ofAProcessThatHasMoved_isItsParents() throws IOException {
    Owner self = Owner.self();
    Path own =
        folder(
            "own",
            Map.of(
                "cgroup.controllers", "cpu memory pids\n",
                "cgroup.subtree_control", "cpu memory pids\n"));
    CgroupMounts mounts =
        new CgroupMounts(Map.of(), Optional.of(own.resolve(self.nameOf("worker"))));
    assertThat(CgroupV2.detect(mounts, self).orElseThrow().folders()).containsExactly(own);
  }
}
