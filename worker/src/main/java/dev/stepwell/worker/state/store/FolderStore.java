package dev.stepwell.worker.state.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps objects as files of a folder that workers share, such as a network file system's.
 * Thread-safe, also across machines: a file gets its name when it is complete.
 *
 * <p>Files lie in folders named by the first two characters of their names. One that is written
 * again is replaced and so becomes young again; who cleans up goes by that time.
 */
public final class FolderStore implements ObjectStore {
  private static final Logger log = LoggerFactory.getLogger(FolderStore.class);

  private static final String UNFINISHED = "unfinished";
  private static final Duration ABANDONED = Duration.ofDays(1);
  private static final int PREFIX = 2;

  private final Path root;

  private FolderStore(Path root) {
    this.root = root;
  }

  /**
   * Opens a store, and removes what writers that died left unfinished in it.
   *
   * @param root the folder; it must be there, so that a share that is not mounted is noticed
   */
  public static FolderStore open(Path root) throws StoreException {
    try {
      if (!Files.isDirectory(root)) {
        throw new NoSuchFileException(root.toString());
      }
      Files.createDirectories(root.resolve(UNFINISHED));
      removeAbandoned(root.resolve(UNFINISHED));
    } catch (IOException e) {
      throw failure("the object store's folder %s can't be used".formatted(root), e);
    }
    return new FolderStore(root);
  }

  private static void removeAbandoned(Path unfinished) throws IOException {
    Instant before = Instant.now().minus(ABANDONED);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(unfinished)) {
      for (Path file : files) {
        removeIfOlder(file, before);
      }
    }
  }

  private static void removeIfOlder(Path file, Instant before) {
    try {
      if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      log.debug("{} is left behind", file, e);
    }
  }

  @Override
  public void put(String name, byte[] bytes) throws StoreException {
    Path unfinished = root.resolve(UNFINISHED).resolve(UUID.randomUUID().toString());
    try {
      Path file = file(name);
      Files.write(unfinished, bytes);
      Files.createDirectories(file.resolveSibling("."));
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      discard(unfinished);
      throw failure("object %s can't be written to %s".formatted(name, root), e);
    }
  }

  private static void discard(Path unfinished) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      log.debug("{} is left for the next worker", unfinished, e);
    }
  }

  @Override
  public byte[] get(String name, int maxBytes) throws StoreException {
    try (InputStream file = Files.newInputStream(file(name))) {
      return file.readNBytes(maxBytes);
    } catch (NoSuchFileException e) {
      // Where the share is not mounted, nothing is known of the object.
      boolean mounted = Files.isDirectory(root.resolve(UNFINISHED));
      throw new StoreException(
          mounted ? StoreException.Kind.NOT_FOUND : StoreException.Kind.UNAVAILABLE,
          mounted
              ? "there is no object %s in %s".formatted(name, root)
              : "the object store's folder %s is not there".formatted(root),
          e);
    } catch (IOException e) {
      throw failure("object %s can't be read from %s".formatted(name, root), e);
    }
  }

  private Path file(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("not an object's name: " + name);
    }
    return root.resolve(name.substring(0, PREFIX)).resolve(name);
  }

  private static StoreException failure(String what, IOException cause) {
    StoreException.Kind kind =
        cause instanceof AccessDeniedException
            ? StoreException.Kind.DENIED
            : StoreException.Kind.UNAVAILABLE;
    return new StoreException(kind, what + ": " + cause, cause);
  }

  @Override
  public void close() {
    log.debug("{} needs no closing", root);
  }
}
