package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out where control groups can be made. Stateless. */
public final class Cgroups {
  private Cgroups() {}

  /**
   * The tree that this process may use: version 1, else version 2, else a stand-in that makes none.
   *
   * @param self this process, which may have to move within its own group
   * @throws IOException if {@code /proc} can't be read
   */
  public static CgroupTree detect(Owner self) throws IOException {
    CgroupMounts mounts =
        CgroupMounts.parse(
            Files.readAllLines(Path.of("/proc/self/mountinfo")),
            Files.readAllLines(Path.of("/proc/self/cgroup")));
    Optional<CgroupTree> tree = CgroupV1.detect(mounts);
    return tree.isPresent() ? tree.get() : CgroupV2.detect(mounts, self).orElse(NoCgroups.INSTANCE);
  }

  /** The stand-in: groups without a folder, which limit and measure nothing. */
  public static CgroupTree none() {
    return NoCgroups.INSTANCE;
  }
}
