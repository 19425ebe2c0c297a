package dev.stepwell.worker.state;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Writes one new extent. Not thread-safe.
 *
 * <p>What it has written is never written again: an extent may be mapped into sandboxes from its
 * first piece on, while later ones are still being added behind.
 */
final class ExtentWriter implements AutoCloseable {
  private final Extent extent;

  /** A channel would be closed under everybody by the interruption of one. */
  private final RandomAccessFile file;

  ExtentWriter(Extent extent) throws IOException {
    this.extent = extent;
    this.file = new RandomAccessFile(extent.file().toFile(), "rw");
    // From here on nobody opens it for writing but whoever may write to everything.
    Files.setPosixFilePermissions(extent.file(), PosixFilePermissions.fromString("r--r--r--"));
  }

  Extent extent() {
    return extent;
  }

  /** Writes a piece at a place where none is yet. */
  void write(long offset, byte[] bytes, int from, int length) throws IOException {
    file.seek(offset);
    file.write(bytes, from, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
