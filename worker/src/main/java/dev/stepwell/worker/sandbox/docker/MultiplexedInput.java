package dev.stepwell.worker.sandbox.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Takes a container's standard output out of the stream in which the engine sends it together with
 * standard error; keeps the end of the latter. For one reader at a time.
 *
 * <p>Each piece has a head of eight bytes: which stream, three zeros, the length.
 */
final class MultiplexedInput extends InputStream {
  private static final int HEAD_BYTES = 8;
  private static final int LENGTH_OFFSET = 4;
  private static final int STANDARD_OUTPUT = 1;
  private static final int STANDARD_ERROR = 2;
  private static final int ERRORS_BYTES = 4 << 10;

  private final InputStream source;
  private int left;

  /** The end of standard error; guarded by itself, as are its bytes. */
  private final ByteBuffer errors = ByteBuffer.allocate(ERRORS_BYTES);

  MultiplexedInput(InputStream source) {
    this.source = source;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (left == 0) {
      if (!nextOutput()) {
        return -1;
      }
    }
    int read = source.read(target, offset, Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the engine's connection ended within a piece of output");
    }
    left -= read;
    return read;
  }

  @Override
  public int available() throws IOException {
    return Math.min(left, source.available());
  }

  /** Goes on to the next piece of output; false at the end. */
  private boolean nextOutput() throws IOException {
    byte[] head = source.readNBytes(HEAD_BYTES);
    if (head.length == 0) {
      return false;
    }
    int length = head.length < HEAD_BYTES ? -1 : ByteBuffer.wrap(head).getInt(LENGTH_OFFSET);
    if (length < 0) {
      throw new IOException("the engine's stream of output is broken");
    }
    switch (head[0]) {
      case STANDARD_OUTPUT -> left = length;
      case STANDARD_ERROR -> takeErrors(length);
      default -> throw new IOException("the engine sends a stream of unknown kind " + head[0]);
    }
    return true;
  }

  private void takeErrors(int length) throws IOException {
    int toRead = length;
    while (toRead > 0) {
      byte[] piece = source.readNBytes(Math.min(toRead, ERRORS_BYTES));
      if (piece.length == 0) {
        throw new EOFException("the engine's connection ended within a piece of errors");
      }
      toRead -= piece.length;
      keep(piece);
    }
  }

  private void keep(byte[] piece) {
    synchronized (errors) {
      int excess = piece.length - errors.remaining();
      if (excess > 0) {
        errors.flip().position(excess);
        errors.compact();
      }
      errors.put(piece);
    }
  }

  /** The end of what came on standard error so far. */
  String errors() {
    synchronized (errors) {
      return new String(errors.array(), 0, errors.position(), StandardCharsets.UTF_8);
    }
  }
}
