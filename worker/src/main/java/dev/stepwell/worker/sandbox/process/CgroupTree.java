package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SandboxLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where control groups for sandboxes can be made. Thread-safe. */
public interface CgroupTree {
  /** Which kind, and what it limits; for the start-up message. */
  String description();

  /**
   * Makes a group with these limits, for no process yet.
   *
   * @throws IOException if the kernel refuses; nothing is left behind
   */
  Cgroup create(String name, SandboxLimits limits) throws IOException;

  /** The folders in which groups are made; one per hierarchy. */
  List<Path> folders();
}
