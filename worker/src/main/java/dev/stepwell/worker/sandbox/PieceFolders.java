package dev.stepwell.worker.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders that one worker's sandboxes see as {@link Sandbox#PIECES}, one for each. Thread-safe.
 *
 * <p>They lie in one folder of the worker's. A sandbox's first process may be another user than the
 * worker, so others can pass through all of them; nobody can list them, and their names can't be
 * guessed.
 */
public final class PieceFolders implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PieceFolders.class);

  private static final String PREFIX = "sandboxes-";
  private static final Path SELF = Path.of("/proc/self");
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("r--r--r--");

  private final Path scratch;

  /** The worker's folder, once there is one; guarded by this. */
  private @Nullable Path own;

  /** Guarded by this. */
  private boolean closed;

  /**
   * Makes folders in {@code scratch} when they are needed; other users may write there, and it must
   * be on one file system with the files that are to be linked into them.
   */
  public PieceFolders(Path scratch) {
    this.scratch = scratch.toAbsolutePath();
  }

  /**
   * Makes a sandbox's folder, with the mark in it.
   *
   * @return null if none can be made, which is logged: a sandbox can do without
   */
  public @Nullable Path create() {
    try {
      Path folder = passable(own().resolve(SandboxId.next()));
      Path mark = Files.createFile(folder.resolve(Sandbox.PIECES_MARK));
      Files.setPosixFilePermissions(mark, READABLE);
      return folder;
    } catch (IOException e) {
      LOG.warn("no folder for a sandbox can be made in {}", scratch, e);
      return null;
    }
  }

  private synchronized Path own() throws IOException {
    Path known = own;
    if (known != null) {
      return known;
    }
    if (closed) {
      throw new IOException("closed");
    }
    Files.createDirectories(scratch);
    Path made = passable(scratch.resolve(PREFIX + Owner.self().nameOf(SandboxId.next())));
    own = made;
    return made;
  }

  private static Path passable(Path folder) throws IOException {
    Files.createDirectory(folder);
    // Not at its making: the process's mask would take from it.
    return Files.setPosixFilePermissions(folder, PASSABLE);
  }

  /** Whether other users can pass through every folder down to these. */
  public boolean passableToOthers() {
    try {
      for (Path folder = scratch; folder != null; folder = folder.getParent()) {
        if (Files.exists(folder)
            && !Files.getPosixFilePermissions(folder)
                .contains(PosixFilePermission.OTHERS_EXECUTE)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      LOG.debug("{} can't be looked at", scratch, e);
      return false;
    }
  }

  /** Removes a sandbox's folder and what was linked into it. What can't be removed is logged. */
  public static void remove(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone already", folder, e);
    } catch (IOException e) {
      LOG.warn("{} is left behind", folder, e);
    }
  }

  /** Removes the worker's folder with all that is in it. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    Path known = own;
    Path name = known == null ? null : known.getFileName();
    own = null;
    if (name != null) {
      delete(scratch, name);
    }
  }

  /**
   * Removes what workers that are gone have left in {@code scratch}.
   *
   * @return how many workers' folders were removed
   * @throws IOException if it can't be looked through
   */
  public static int reap(Path scratch) throws IOException {
    int removed = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(scratch, PREFIX + "stepwell-*")) {
      for (Path entry : entries) {
        Path name = entry.getFileName();
        if (name != null && isLeft(name.toString())) {
          removed += delete(scratch, name) ? 1 : 0;
        }
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} is not there", scratch, e);
    }
    return removed;
  }

  private static boolean isLeft(String name) throws IOException {
    Optional<Owner> owner = Owner.ofName(name.substring(PREFIX.length()));
    return owner.isPresent() && owner.get().isGone();
  }

  /** No link is followed; what belongs to another user is left to that one, or to root. */
  private static boolean delete(Path scratch, Path name) {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(scratch, PREFIX + "none")) {
      if (stream instanceof SecureDirectoryStream<Path> folders) {
        return deleteOwn(folders, name);
      }
      LOG.warn("{} can't be removed safely on this file system", scratch.resolve(name));
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone already", scratch.resolve(name));
    } catch (IOException e) {
      LOG.warn("{} is left behind", scratch.resolve(name), e);
    }
    return false;
  }

  private static boolean deleteOwn(SecureDirectoryStream<Path> folders, Path name)
      throws IOException {
    try (SecureDirectoryStream<Path> workers =
        folders.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      if (!mayRemove(workers)) {
        return false;
      }
      for (Path sandbox : workers) {
        deleteSandbox(workers, sandbox.getFileName());
      }
    }
    folders.deleteDirectory(name);
    return true;
  }

  private static boolean mayRemove(SecureDirectoryStream<Path> folder) throws IOException {
    UserPrincipal owner =
        folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes().owner();
    UserPrincipal self = Files.getOwner(SELF);
    return owner.equals(self) || Integer.valueOf(0).equals(Files.getAttribute(SELF, "unix:uid"));
  }

  private static void deleteSandbox(SecureDirectoryStream<Path> workers, Path name)
      throws IOException {
    try (SecureDirectoryStream<Path> files =
        workers.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : files) {
        files.deleteFile(file.getFileName());
      }
    }
    workers.deleteDirectory(name);
  }
}
