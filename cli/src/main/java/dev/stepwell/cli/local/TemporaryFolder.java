package dev.stepwell.cli.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A folder that goes when it is closed, with all that is in it. Where its process is killed, it
 * goes when the next of its kind is created. Thread-safe.
 */
final class TemporaryFolder implements AutoCloseable {
  /** Locked by its process for as long as the folder is in use. */
  private static final String IN_USE = ".in-use";

  /** Longer than it takes to lock the file once it is there. */
  private static final Duration YOUNG = Duration.ofMinutes(1);

  /** Those of this process, whose locks would be lost by a look at them. */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel inUse;

  private TemporaryFolder(Path path, FileChannel inUse) {
    this.path = path;
    this.inUse = inUse;
  }

  /**
   * Creates one that other users can pass through, but not list: sandboxes run as somebody else,
   * and see what of it is theirs.
   *
   * @param prefix what its name begins with, and that of no other kind of folder in there
   */
  static TemporaryFolder createPassable(Path parent, String prefix) throws IOException {
    Path path = Files.createTempDirectory(parent, prefix);
    OURS.add(path);
    FileChannel inUse =
        FileChannel.open(
            path.resolve(IN_USE), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    inUse.lock();
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    removeAbandoned(parent, prefix, Files.getOwner(path));
    return new TemporaryFolder(path, inUse);
  }

  /** Where it is. */
  Path path() {
    return path;
  }

  private static void removeAbandoned(Path parent, String prefix, UserPrincipal user) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
      for (Path folder : folders) {
        if (!OURS.contains(folder) && isAbandoned(folder, user)) {
          remove(folder);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Another command may be removing the same, and what stays is in nobody's way.
      return;
    }
  }

  private static boolean isAbandoned(Path folder, UserPrincipal user) throws IOException {
    // Anybody may make folders in here, and lead whoever removes them astray.
    if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)) {
      return false;
    }
    Path file = folder.resolve(IN_USE);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      Instant made = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
      if (made.plus(YOUNG).isAfter(Instant.now())) {
        return false;
      }
      try (FileLock lock = channel.tryLock()) {
        return lock != null;
      }
    } catch (IOException | OverlappingFileLockException e) {
      // It has no such file, or not one of ours: there is nothing to tell by.
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    remove(path);
    inUse.close();
    OURS.remove(path);
  }

  /** Links are removed, not followed. A folder closed to its own user is opened first. */
  private static void remove(Path each) throws IOException {
    if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.isReadable(each) || !Files.isWritable(each) || !Files.isExecutable(each)) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx------"));
      }
      List<Path> inside;
      try (Stream<Path> entries = Files.list(each)) {
        inside = entries.toList();
      }
      for (Path entry : inside) {
        remove(entry);
      }
    }
    Files.deleteIfExists(each);
  }
}
