package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The control group of one sandbox. Thread-safe. */
public interface Cgroup {
  /** The files into which a process writes 0 to join. */
  List<Path> joinFiles();

  /** What its processes have used; what can't be read is absent. */
  SandboxUsage usage();

  /**
   * Ends every process in it and removes it. Idempotent.
   *
   * @throws IOException if it is still there
   */
  void remove() throws IOException;
}
