package dev.stepwell.worker.sandbox.process;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where this process's own control groups are in the file system; immutable.
 *
 * @param perController the folder for each controller of a version 1 hierarchy
 * @param unified the folder in the version 2 hierarchy, if one is mounted
 */
record CgroupMounts(Map<String, Path> perController, Optional<Path> unified) {
  // Fields of a line of /proc/self/mountinfo; a dash ends the optional ones.
  private static final int ROOT = 3;
  private static final int MOUNT_POINT = 4;
  private static final int FILE_SYSTEM = 1;
  private static final int OPTIONS = 3;

  /**
   * Reads the two files that tell.
   *
   * @param mountInfo the lines of {@code /proc/self/mountinfo}
   * @param memberships the lines of {@code /proc/self/cgroup}
   */
  static CgroupMounts parse(List<String> mountInfo, List<String> memberships) {
    Map<String, Path> perController = new LinkedHashMap<>();
    Optional<Path> unified = Optional.empty();
    Map<String, String> own = ownPaths(memberships);
    for (String line : mountInfo) {
      String[] fields = line.split(" ", -1);
      int dash = Arrays.asList(fields).indexOf("-");
      String fileSystem = fields[dash + FILE_SYSTEM];
      if (fileSystem.equals("cgroup2") && own.containsKey("")) {
        unified = Optional.of(folder(fields, own.get("")));
      } else if (fileSystem.equals("cgroup")) {
        for (String option : fields[dash + OPTIONS].split(",", -1)) {
          if (own.containsKey(option)) {
            perController.put(option, folder(fields, own.get(option)));
          }
        }
      }
    }
    return new CgroupMounts(perController, unified);
  }

  /** This process's group by controller; the version 2 hierarchy's has the empty name. */
  private static Map<String, String> ownPaths(List<String> memberships) {
    Map<String, String> own = new LinkedHashMap<>();
    for (String line : memberships) {
      String[] fields = line.split(":", 3);
      for (String controller : fields[1].split(",", -1)) {
        own.put(controller, fields[2]);
      }
    }
    return own;
  }

  /** A mount shows its root's part of the hierarchy only; in a container that is a part of it. */
  private static Path folder(String[] mount, String ownPath) {
    Path root = Path.of(mount[ROOT]);
    Path own = Path.of(ownPath);
    Path mountPoint = Path.of(mount[MOUNT_POINT]);
    return own.startsWith(root) ? mountPoint.resolve(root.relativize(own).toString()) : mountPoint;
  }
}
