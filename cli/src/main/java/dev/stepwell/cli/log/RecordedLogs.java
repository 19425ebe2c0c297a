package dev.stepwell.cli.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens logs of every form. */
public final class RecordedLogs {
  private RecordedLogs() {}

  /**
   * Opens a log: a file as {@code stepwell record} writes it, or lines of JSON, compressed by gzip
   * or not, that are its lines, or requests, or requests beside their results.
   *
   * <p>Damage is no failure: {@link RecordedLog#tear()} tells of it, at once where the blocks'
   * headers show it, else when a cursor comes to it.
   *
   * @throws LogVersionException if it was written in a newer version of the format
   * @throws IOException if the file can't be read
   */
  public static RecordedLog open(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(BlockHeader.BYTES);
    }
    return BlockHeader.looksLikeOne(start) ? BlockLog.open(file) : PlainLog.open(file);
  }
}
