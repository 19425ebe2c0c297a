package dev.stepwell.worker.sandbox.bubblewrap;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How bubblewrap is used on this machine; immutable.
 *
 * @param bwrap the program
 * @param stateFolder where the backend makes its private folder, a few small files; workers may
 *     share it
 * @param cgroups whether control groups are used where they can be; false leaves the weaker limits
 *     of single processes
 */
public record BubblewrapSettings(Path bwrap, Path stateFolder, boolean cgroups) {
  private static final Path USUAL_BWRAP = Path.of("/usr/bin/bwrap");

  /** The {@code bwrap} on the path, the machine's folder for temporary files, control groups. */
  public static BubblewrapSettings defaults() {
    return new BubblewrapSettings(
        onPath(), Path.of(System.getProperty("java.io.tmpdir", "/tmp")), true);
  }

  private static Path onPath() {
    String path = System.getenv("PATH");
    if (path != null) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        Path candidate = Path.of(folder, "bwrap");
        if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
          return candidate;
        }
      }
    }
    return USUAL_BWRAP;
  }
}
