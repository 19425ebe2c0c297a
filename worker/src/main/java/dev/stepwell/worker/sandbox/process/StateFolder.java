package dev.stepwell.worker.sandbox.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's own folder: the few files that launchers hand to other programs; immutable once made.
 *
 * @param parent where such folders are; others may write there
 * @param name the folder in it, which only this user can write to
 */
public record StateFolder(Path parent, Path name) {
  /** A system call filter. */
  public static final String FILTER = "filter.bpf";

  /** Users of a sandbox, like {@code /etc/passwd}. */
  public static final String USERS = "passwd";

  /** Groups of a sandbox, like {@code /etc/group}. */
  public static final String GROUPS = "group";

  /** Host names of a sandbox, like {@code /etc/hosts}. */
  public static final String HOSTS = "hosts";

  /** A folder of mount tables. */
  public static final String MOUNTS = "mounts.d";

  /** The table in {@link #MOUNTS}. */
  public static final String FSTAB = "stepwell.fstab";

  private static final Logger LOG = LoggerFactory.getLogger(StateFolder.class);
  private static final Set<String> FILES = Set.of(FILTER, USERS, GROUPS, HOSTS, FSTAB);
  private static final Set<String> FOLDERS = Set.of(MOUNTS);

  /** Who may look into the folder. */
  public enum Readers {
    /** This user alone. */
    SELF("rwx------", "rw-------"),
    /** Every user of this machine. */
    ALL("rwxr-xr-x", "rw-r--r--");

    private final String folder;
    private final String file;

    Readers(String folder, String file) {
      this.folder = folder;
      this.file = file;
    }
  }

  /**
   * Makes the folder {@code name} in {@code parent}.
   *
   * @param files content by name; a name is one of the constants here, or {@link #MOUNTS} and one
   *     with a slash between
   * @throws IOException if it can't be made, or is there already
   */
  public static StateFolder create(
      Path parent, String name, Readers readers, Map<String, byte[]> files) throws IOException {
    StateFolder folder = new StateFolder(parent.toAbsolutePath(), Path.of(name));
    Files.createDirectories(folder.parent());
    createFolder(folder.path(), readers);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.path().resolve(file.getKey());
      Path in = path.getParent();
      if (in != null && !Files.exists(in)) {
        createFolder(in, readers);
      }
      Files.write(path, file.getValue());
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(readers.file));
    }
    return folder;
  }

  private static void createFolder(Path path, Readers readers) throws IOException {
    Files.createDirectory(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    // Not at its making: the process's mask would take from it.
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(readers.folder));
  }

  /** Where it is; absolute. */
  public Path path() {
    return parent.resolve(name);
  }

  /** Removes this folder; idempotent. What can't be removed is logged. */
  public void delete() {
    delete(parent, name);
  }

  /**
   * Removes the folder {@code name} of {@code parent}, which other users may write to: no link is
   * followed, and no file removed that this class doesn't make.
   *
   * @return whether it is gone by this call
   */
  static boolean delete(Path parent, Path name) {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent, "stepwell-none")) {
      if (stream instanceof SecureDirectoryStream<Path> folders) {
        deleteFiles(folders, name);
        folders.deleteDirectory(name);
        return true;
      }
      LOG.warn("{} can't be removed safely on this file system", parent.resolve(name));
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone already", parent.resolve(name));
    } catch (IOException e) {
      LOG.warn("{} is left behind", parent.resolve(name), e);
    }
    return false;
  }

  private static void deleteFiles(SecureDirectoryStream<Path> folders, Path name)
      throws IOException {
    try (SecureDirectoryStream<Path> folder =
        folders.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : folder) {
        Path entryName = entry.getFileName();
        if (entryName != null && FILES.contains(entryName.toString())) {
          folder.deleteFile(entryName);
        } else if (entryName != null && FOLDERS.contains(entryName.toString())) {
          deleteFiles(folder, entryName);
          folder.deleteDirectory(entryName);
        }
      }
    }
  }
}
