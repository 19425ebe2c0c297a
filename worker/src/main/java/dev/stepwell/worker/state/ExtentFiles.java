package dev.stepwell.worker.state;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache's files: makes them, fills them, and unlinks those that the index drops. Thread-safe,
 * but one writer is one thread's.
 */
final class ExtentFiles implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ExtentFiles.class);

  /** When the disk is full, so large a part of the cache gives way at once. */
  private static final int PART_THAT_GIVES_WAY = 4;

  private final CacheFolder folder;
  private final ExtentIndex index;

  ExtentFiles(CacheFolder folder, ExtentIndex index) {
    this.folder = folder;
    this.index = index;
  }

  /** Where pieces lie. */
  ExtentIndex index() {
    return index;
  }

  /** Makes a file for pieces to come; its extent is pinned once. */
  ExtentWriter create() throws IOException {
    Extent extent = folder.newExtent();
    ExtentWriter writer;
    try {
      writer = new ExtentWriter(extent);
    } catch (IOException e) {
      makeRoom(Extent.ALIGNMENT, e);
      Files.deleteIfExists(extent.file());
      writer = new ExtentWriter(extent);
    }
    index.enter(extent);
    return writer;
  }

  /** Writes a piece; the pieces of others give way if the disk is full. */
  void write(ExtentWriter writer, long offset, byte[] bytes, int from, int length)
      throws IOException {
    try {
      writer.write(offset, bytes, from, length);
    } catch (IOException e) {
      makeRoom(length, e);
      try {
        writer.write(offset, bytes, from, length);
      } catch (IOException again) {
        throw isFull(length) ? new CacheFullException(folder.path(), again) : again;
      }
    }
  }

  private void makeRoom(long bytes, IOException cause) throws IOException {
    if (!isFull(bytes)) {
      throw cause;
    }
    List<Extent> dropped =
        index.dropAtLeast(Math.max(bytes, index.heldBytes() / PART_THAT_GIVES_WAY));
    if (dropped.isEmpty()) {
      throw new CacheFullException(folder.path(), cause);
    }
    log.warn("the disk of {} is full: {} cached files give way", folder.path(), dropped.size());
    unlink(dropped);
  }

  private boolean isFull(long bytes) throws IOException {
    return Files.getFileStore(folder.path()).getUsableSpace() < Extent.aligned(bytes);
  }

  /** Ends the making of an extent: from now on it may go. */
  void release(Extent extent) {
    if (index.unpin(extent)) {
      unlink(List.of(extent));
    }
  }

  /** Lets go what is too much. */
  void trim() {
    unlink(index.dropOverflow());
  }

  private static void unlink(List<Extent> dropped) {
    for (Extent extent : dropped) {
      try {
        Files.deleteIfExists(extent.file());
      } catch (IOException e) {
        log.warn("{} is left behind until this worker ends", extent.file(), e);
      }
    }
  }

  /** Removes everything. Whoever still reads or writes fails. */
  @Override
  public void close() {
    folder.close();
  }
}
