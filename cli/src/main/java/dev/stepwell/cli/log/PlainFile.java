package dev.stepwell.cli.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A file of lines, compressed by gzip or not; immutable. Every reader has a stream of its own.
 *
 * @param path where it is
 * @param gzip whether it is compressed
 * @param bytes its size
 */
record PlainFile(Path path, boolean gzip, long bytes) {
  private static final int BUFFER_BYTES = 64 << 10;

  static PlainFile of(Path path) throws IOException {
    byte[] start = new byte[2];
    try (InputStream in = Files.newInputStream(path)) {
      int read = in.readNBytes(start, 0, start.length);
      boolean gzip = read == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
      return new PlainFile(path, gzip, Files.size(path));
    }
  }

  /** A stream of what is in it, from a place in that on. */
  Content open(long from) throws IOException {
    Counting file = new Counting(Files.newInputStream(path));
    try {
      if (!gzip) {
        file.skipNBytes(from);
        return new Content(file, new LineReader(file));
      }
      InputStream inflated = new GZIPInputStream(file, BUFFER_BYTES);
      inflated.skipNBytes(from);
      return new Content(file, new LineReader(inflated));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Its lines, and how far the file itself has been read; used by one thread.
   *
   * @param file the file
   * @param lines what is in it
   */
  record Content(Counting file, LineReader lines) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  /** Counts what is read; used by one thread. */
  static final class Counting extends FilterInputStream {
    private long read;

    Counting(InputStream in) {
      super(in);
    }

    long bytesRead() {
      return read;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = super.read(bytes, from, length);
      read += Math.max(0, count);
      return count;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = super.skip(count);
      read += skipped;
      return skipped;
    }
  }
}
