package dev.stepwell.cli.run;

import dev.stepwell.cli.process.CommandException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a folder to one process, however that ends; immutable. */
final class FolderLock implements Closeable {
  /** The file that is locked. */
  static final String FILE = "lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes a folder, which is made where it isn't there.
   *
   * @throws CommandException if another process has it
   */
  static FolderLock take(Path folder) throws IOException {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(channel) == null) {
      channel.close();
      throw new CommandException(
          "another process is at the run in "
              + folder
              + ": wait for it, or name another by --work");
    }
    return new FolderLock(channel);
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This process has it.
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
