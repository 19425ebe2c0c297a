package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.nio.file.Path;
import java.util.List;

/** Stands in where no control group can be made: the launcher sets resource limits instead. */
enum NoCgroups implements CgroupTree, Cgroup {
  INSTANCE;

  @Override
  public String description() {
    return "without control groups, memory is limited for each process by itself";
  }

  @Override
  public Cgroup create(String name, SandboxLimits limits) {
    return this;
  }

  @Override
  public List<Path> folders() {
    return List.of();
  }

  @Override
  public List<Path> joinFiles() {
    return List.of();
  }

  @Override
  public SandboxUsage usage() {
    return new SandboxUsage(null, null, 0, 0, "rlimit");
  }

  @Override
  public void remove() {
    // There is none.
  }
}
