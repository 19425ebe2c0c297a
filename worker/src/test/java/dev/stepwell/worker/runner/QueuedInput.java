package dev.stepwell.worker.runner;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Reads pieces from a queue, blocking where there is nothing yet. Used by one thread. */
final class QueuedInput extends InputStream {
  /** The piece that is the end: nothing behind it is read. */
  static final byte[] END = new byte[0];

  private final BlockingQueue<byte[]> pieces;
  private byte @Nullable [] piece;
  private int at;

  QueuedInput(BlockingQueue<byte[]> pieces) {
    this.pieces = pieces;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    byte[] current = current();
    if (current.length == 0) {
      return -1;
    }
    int count = Math.min(length, current.length - at);
    System.arraycopy(current, at, into, offset, count);
    at += count;
    return count;
  }

  private byte[] current() throws IOException {
    byte[] current = piece;
    try {
      while (current == null || (current.length > 0 && at == current.length)) {
        current = pieces.take();
        piece = current;
        at = 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return current;
  }
}
