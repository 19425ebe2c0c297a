package dev.stepwell.cli.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that goes when it is closed, with all that is in it; immutable.
 *
 * @param path where it is
 */
record TemporaryFolder(Path path) implements AutoCloseable {
  static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /**
   * One that other users can pass through, but not list: sandboxes run as somebody else, and see
   * what of it is theirs.
   */
  static TemporaryFolder createPassable(String prefix) throws IOException {
    TemporaryFolder folder = create(prefix);
    Files.setPosixFilePermissions(folder.path, PosixFilePermissions.fromString("rwx--x--x"));
    return folder;
  }

  @Override
  public void close() throws IOException {
    remove(path);
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
