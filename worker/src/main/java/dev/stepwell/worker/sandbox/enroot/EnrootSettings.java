package dev.stepwell.worker.sandbox.enroot;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How enroot is used on this machine; immutable.
 *
 * @param enroot the program; a name is looked up in {@code PATH}
 * @param user whose the sandboxes are where this process is root: a name or a number
 * @param scratchFolder where container roots and private folders are kept; workers may share it
 * @param cgroups whether control groups are used where they can be; false leaves the weaker limits
 *     of single processes
 */
public record EnrootSettings(Path enroot, String user, Path scratchFolder, boolean cgroups) {
  public EnrootSettings {
    scratchFolder = scratchFolder.toAbsolutePath();
  }

  /** The {@code enroot} on the path, nobody, the machine's folder for temporary files. */
  public static EnrootSettings defaults() {
    return new EnrootSettings(
        Path.of("enroot"), "nobody", Path.of(System.getProperty("java.io.tmpdir", "/tmp")), true);
  }

  /** Where the program is, there or not; absolute if it was found. */
  Path program() {
    String path = System.getenv("PATH");
    if (!enroot.isAbsolute() && path != null) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        Path candidate = Path.of(folder).resolve(enroot);
        if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
          return candidate;
        }
      }
    }
    return enroot;
  }
}
