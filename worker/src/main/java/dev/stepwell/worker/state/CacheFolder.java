package dev.stepwell.worker.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's own folder for cached extents. Thread-safe.
 *
 * <p>Beside the folder lies a lock file, which the kernel frees when its worker ends, however it
 * ends: that is how the next worker tells what is left over from what is in use. Others may write
 * to the folder in which both lie, so no link there is followed, and nothing removed that does not
 * look like an extent.
 */
final class CacheFolder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CacheFolder.class);

  private static final String PREFIX = "pieces-";
  private static final String LOCK_SUFFIX = ".lock";
  private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{32}");
  private static final Pattern EXTENT = Pattern.compile("[a-z0-9-]{1,64}");
  private static final int RANDOM_BYTES = 16;

  /**
   * The lock files of this process. It must not even open them: the kernel frees a process's lock
   * on a file when the process closes it, through whichever descriptor.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final SecureRandom random = new SecureRandom();
  private final AtomicLong lastExtent = new AtomicLong();
  private final Path parent;
  private final Path name;
  private final Path lockFile;
  private final FileChannel lock;

  private CacheFolder(Path parent, Path name, Path lockFile, FileChannel lock) {
    this.parent = parent;
    this.name = name;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Makes a folder, after having removed those of workers that are gone.
   *
   * @param parent where; made if it is not there
   * @throws IOException if it can't be made
   */
  static CacheFolder create(Path parent) throws IOException {
    Path absolute = parent.toAbsolutePath();
    Files.createDirectories(absolute);
    removeLeftovers(absolute);
    SecureRandom random = new SecureRandom();
    while (true) {
      String name = PREFIX + unguessable(random);
      Path lockFile = absolute.resolve(name + LOCK_SUFFIX);
      OWN.add(lockFile);
      FileChannel lock =
          FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      // Another worker may have taken the new file for a leftover before it was locked.
      if (lock.tryLock() != null && Files.exists(lockFile)) {
        CacheFolder folder = new CacheFolder(absolute, Path.of(name), lockFile, lock);
        Files.createDirectory(folder.path());
        // Sandboxes of other users reach a file in it by its name; no one can list them.
        Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwx--x--x"));
        return folder;
      }
      lock.close();
      OWN.remove(lockFile);
    }
  }

  private static String unguessable(SecureRandom random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The folder itself. */
  Path path() {
    return parent.resolve(name);
  }

  /** A new extent's name and place; nothing is made yet. */
  Extent newExtent() {
    String extent = lastExtent.incrementAndGet() + "-" + unguessable(random);
    return new Extent(extent, path().resolve(extent));
  }

  /** Removes the folder. What can't be removed is logged. */
  @Override
  public void close() {
    remove(parent, name);
    try {
      Files.deleteIfExists(lockFile);
      lock.close();
      OWN.remove(lockFile);
    } catch (IOException e) {
      log.warn("{} is left behind", lockFile, e);
    }
  }

  private static void removeLeftovers(Path parent) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(parent, PREFIX + "*" + LOCK_SUFFIX)) {
      for (Path file : files) {
        Path fileName = file.getFileName();
        String text = fileName == null ? "" : fileName.toString();
        String folder = text.substring(0, Math.max(0, text.length() - LOCK_SUFFIX.length()));
        if (NAME.matcher(folder).matches()
            && !OWN.contains(file)
            && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          removeIfLeft(parent, Path.of(folder), file);
        }
      }
    }
  }

  private static void removeIfLeft(Path parent, Path name, Path lockFile) {
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock held = channel.tryLock()) {
      if (held != null && remove(parent, name)) {
        Files.deleteIfExists(lockFile);
        log.info("removed {}, left by a worker that is gone", parent.resolve(name));
      }
    } catch (IOException e) {
      log.debug("{} can't be looked at", lockFile, e);
    }
  }

  /** Whether it is gone now. */
  private static boolean remove(Path parent, Path name) {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent, "no such name")) {
      if (stream instanceof SecureDirectoryStream<Path> folders) {
        removeExtents(folders, name);
        folders.deleteDirectory(name);
        return true;
      }
      log.warn("{} can't be removed safely on this file system", parent.resolve(name));
      return false;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      log.warn("{} is left behind", parent.resolve(name), e);
      return false;
    }
  }

  private static void removeExtents(SecureDirectoryStream<Path> folders, Path name)
      throws IOException {
    try (SecureDirectoryStream<Path> folder =
        folders.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : folder) {
        Path fileName = file.getFileName();
        if (fileName != null && EXTENT.matcher(fileName.toString()).matches()) {
          folder.deleteFile(fileName);
        }
      }
    }
  }
}
