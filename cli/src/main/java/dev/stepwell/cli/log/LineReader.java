package dev.stepwell.cli.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines of bounded length; used by one thread. */
final class LineReader implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int filled;
  private long offset;
  private long number;

  LineReader(InputStream in) {
    this.in = in;
  }

  /**
   * A line; not changed once made.
   *
   * @param number its number, from 1
   * @param offset where it begins, in bytes
   * @param bytes what is in it, without its line end
   * @param tooLong whether it has more than {@link LineJson#MAX_LINE_BYTES}, and {@code bytes} not
   *     all of it
   * @param ended whether a line feed ends it
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Line(long number, long offset, byte[] bytes, boolean tooLong, boolean ended) {
    boolean blank() {
      for (byte each : bytes) {
        if (each != ' ' && each != '\t' && each != '\r') {
          return false;
        }
      }
      return true;
    }
  }

  /** The next line; null at the end. */
  @Nullable Line next() throws IOException {
    if (at == filled && !fill()) {
      return null;
    }
    long begin = offset;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean tooLong = false;
    boolean ended = false;
    do {
      int end = at;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      tooLong |= line.size() + (end - at) > LineJson.MAX_LINE_BYTES;
      if (!tooLong) {
        line.write(buffer, at, end - at);
      }
      ended = end < filled;
      offset += end - at + (ended ? 1 : 0);
      at = ended ? end + 1 : end;
    } while (!ended && fill());
    return new Line(++number, begin, line.toByteArray(), tooLong, ended);
  }

  private boolean fill() throws IOException {
    at = 0;
    filled = Math.max(0, in.read(buffer, 0, buffer.length));
    return filled > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
