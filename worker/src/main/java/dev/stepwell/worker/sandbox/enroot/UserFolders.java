package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;

/**
 * The folders that enroot works in, one set for each user; immutable. All workers of this machine
 * with the same scratch folder and user share them.
 *
 * @param user everything in here is this user's alone
 * @param program enroot
 */
record UserFolders(Path user, Path program) {
  private static final String SYSTEM_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /**
   * Makes them where they aren't there.
   *
   * @throws SandboxException if they can't be made, aren't the user's, or it can't come to them
   */
  static UserFolders create(EnrootSettings settings, SandboxUser user) throws SandboxException {
    Path scratch = settings.scratchFolder();
    if (isUnmountable(scratch)) {
      throw SandboxException.permanent(
          "scratch.folder "
              + scratch
              + " has a space, colon, dollar or backslash in it, which"
              + " enroot's mount tables can't hold; name another",
          null);
    }
    Path base = scratch.resolve("enroot-" + user.workerUid());
    Path own = base.resolve("user-" + user.uid());
    try {
      Files.createDirectories(scratch);
      createOwned(base, user.workerUid(), user.workerUid(), "rwxr-xr-x");
      createOwned(own, user.uid(), user.gid(), "rwx------");
      requirePassable(user, base);
      return new UserFolders(own, settings.program());
    } catch (IOException e) {
      throw SandboxException.permanent("no folder can be made in " + scratch + ": " + e, e);
    }
  }

  /** Whether a path can't be written in enroot's mount tables. */
  static boolean isUnmountable(Path path) {
    return path.toString().matches("(?s).*[\\s:$\\\\].*");
  }

  private static void createOwned(Path folder, int uid, int gid, String permissions)
      throws IOException, SandboxException {
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      if ((Integer) Files.getAttribute(folder, "unix:uid") != uid) {
        Files.setAttribute(folder, "unix:gid", gid);
        Files.setAttribute(folder, "unix:uid", uid);
      }
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    } catch (FileAlreadyExistsException e) {
      requireOwned(folder, uid);
    }
  }

  /** Others may write to the folder above, and could have put something there first. */
  private static void requireOwned(Path folder, int uid) throws IOException, SandboxException {
    PosixFileAttributes found =
        Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    int owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    boolean othersWrite =
        found.permissions().contains(PosixFilePermission.OTHERS_WRITE)
            || found.permissions().contains(PosixFilePermission.GROUP_WRITE);
    if (!found.isDirectory() || owner != uid || othersWrite) {
      throw SandboxException.permanent(
          folder
              + " is no folder that user "
              + uid
              + " alone may write to; remove it, or name another scratch.folder",
          null);
    }
  }

  private static void requirePassable(SandboxUser user, Path base)
      throws IOException, SandboxException {
    for (Path folder = base; folder != null && user.dropped(); folder = folder.getParent()) {
      if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        throw SandboxException.permanent(
            "user "
                + user.uid()
                + ", whose enroot's sandboxes are, can't pass through "
                + folder
                + "; name a scratch.folder that others can come to",
            null);
      }
    }
  }

  /** Where container roots are. */
  Path data() {
    return user.resolve("data");
  }

  /**
   * The whole environment of enroot: nothing of the worker's own, and an answer to everything that
   * this machine's {@code enroot.conf} could say about isolation.
   *
   * @param sysconf what enroot takes for its system's configuration
   */
  Map<String, String> environment(Path sysconf) {
    Map<String, String> all = new TreeMap<>();
    Path folder = program.getParent();
    all.put("PATH", folder == null ? SYSTEM_PATH : folder + ":" + SYSTEM_PATH);
    all.put("HOME", user.toString());
    all.put("LANG", "C.UTF-8");
    all.put("STEPWELL_ROOTS", user.toString());
    all.put("ENROOT_SYSCONF_PATH", sysconf.toString());
    all.put("ENROOT_DATA_PATH", data().toString());
    all.put("ENROOT_RUNTIME_PATH", user.resolve("run").toString());
    all.put("ENROOT_CACHE_PATH", user.resolve("cache").toString());
    all.put("ENROOT_TEMP_PATH", user.resolve("tmp").toString());
    all.put("ENROOT_CONFIG_PATH", user.resolve("config").toString());
    for (String setting :
        new String[] {
          "LOGIN_SHELL",
          "ROOTFS_WRITABLE",
          "REMAP_ROOT",
          "ALLOW_SUPERUSER",
          "ALLOW_HTTP",
          "MOUNT_HOME",
          "RESTRICT_DEV",
          "FORCE_OVERRIDE"
        }) {
      all.put("ENROOT_" + setting, "no");
    }
    return all;
  }
}
