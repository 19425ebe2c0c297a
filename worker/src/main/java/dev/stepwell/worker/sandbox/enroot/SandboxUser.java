package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whose processes sandboxes are; immutable. Inside they have the same numbers.
 *
 * <p>It is never root: enroot leaves root every capability within its namespaces.
 *
 * @param uid the user
 * @param gid its group
 * @param workerUid the user of this process
 */
record SandboxUser(int uid, int gid, int workerUid) {
  /** Gives root away, and ties processes to the life of their parent; part of util-linux. */
  static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  private static final Path SELF = Path.of("/proc/self");
  private static final Path USERS = Path.of("/etc/passwd");
  private static final int ROOT = 0;

  // Fields of a line of /etc/passwd.
  private static final int NAME = 0;
  private static final int UID = 2;
  private static final int GID = 3;
  private static final int FIELDS = 7;

  /**
   * The user of this process, or where that is root the named one.
   *
   * @param wanted a name of {@code /etc/passwd}, or a number
   * @throws SandboxException if there is no such user, or it is root
   */
  static SandboxUser resolve(String wanted) throws SandboxException {
    try {
      int workerUid = (Integer) Files.getAttribute(SELF, "unix:uid");
      int workerGid = (Integer) Files.getAttribute(SELF, "unix:gid");
      return workerUid == ROOT ? named(wanted) : new SandboxUser(workerUid, workerGid, workerUid);
    } catch (IOException e) {
      throw SandboxException.permanent("/proc or /etc/passwd can't be read: " + e.getMessage(), e);
    }
  }

  private static SandboxUser named(String wanted) throws SandboxException, IOException {
    boolean number = wanted.matches("\\d{1,9}");
    Optional<String[]> line = find(fields -> (number ? fields[UID] : fields[NAME]).equals(wanted));
    if (line.isEmpty() && !number) {
      throw SandboxException.permanent(
          "this worker is root, and the user "
              + wanted
              + " whose enroot's sandboxes shall be is not in "
              + USERS
              + "; name another in enroot.user, or run the worker as an ordinary user",
          null);
    }
    int uid = Integer.parseInt(line.map(fields -> fields[UID]).orElse(wanted));
    int gid = Integer.parseInt(line.map(fields -> fields[GID]).orElse(wanted));
    if (uid == ROOT || gid == ROOT) {
      throw SandboxException.permanent(
          "enroot's sandboxes can't be root's, who would keep every capability in them; name an"
              + " ordinary user in enroot.user instead of "
              + wanted,
          null);
    }
    return new SandboxUser(uid, gid, ROOT);
  }

  private static Optional<String[]> find(Predicate<String[]> wanted) throws IOException {
    return Files.readAllLines(USERS).stream()
        .map(line -> line.split(":", -1))
        .filter(fields -> fields.length == FIELDS && wanted.test(fields))
        .findFirst();
  }

  /** Whether this process is another user, root. */
  boolean dropped() {
    return workerUid == ROOT;
  }

  /** What a command line begins with to be this user's. */
  List<String> prefix() {
    List<String> prefix = new ArrayList<>();
    if (dropped()) {
      prefix.addAll(List.of(SETPRIV.toString(), "--reuid", Integer.toString(uid), "--regid"));
      prefix.addAll(List.of(Integer.toString(gid), "--clear-groups"));
    }
    return prefix;
  }

  /** The same, and to be killed when the thread ends that starts it. */
  List<String> mortalPrefix() {
    List<String> prefix = prefix();
    if (prefix.isEmpty()) {
      prefix.add(SETPRIV.toString());
    }
    prefix.addAll(List.of("--pdeathsig", "KILL"));
    return prefix;
  }
}
