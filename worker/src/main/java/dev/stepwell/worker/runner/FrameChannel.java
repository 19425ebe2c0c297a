package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Sandbox;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The frames to and from one sandbox. One thread at a time may read; any may write, and no frame
 * comes apart by that.
 *
 * <p>No length that comes from the sandbox is believed beyond {@link Frame#MAX_PAYLOAD_BYTES}.
 */
final class FrameChannel {
  private static final int HEADER_BYTES = 5;

  private final InputStream input;
  private final OutputStream output;
  private final Lock writing = new ReentrantLock();

  FrameChannel(Sandbox sandbox) {
    this.input = sandbox.output();
    this.output = sandbox.input();
  }

  /**
   * Blocks for the next frame.
   *
   * @throws EOFException if the sandbox has ended
   * @throws ChannelViolation if what came is no frame
   */
  Frame read() throws IOException {
    byte[] header = readExactly(HEADER_BYTES);
    char type = (char) (header[0] & 0xff);
    long size = Bytes.uint32(header, 1);
    if (!isLetter(type)) {
      throw new ChannelViolation("a frame of type " + (int) type + ", which is no letter");
    }
    if (size > Frame.MAX_PAYLOAD_BYTES) {
      throw new ChannelViolation(
          "a frame of " + size + " bytes, over the limit of " + Frame.MAX_PAYLOAD_BYTES);
    }
    return new Frame(type, readExactly((int) size));
  }

  /** Writes a frame. It is on its way when {@link #flush()} has returned. */
  void write(char type, byte[] payload) throws IOException {
    write(type, payload, 0, payload.length);
  }

  /** Writes bytes as {@code D} frames of a size the runner takes. */
  void writeData(byte[] data) throws IOException {
    for (int at = 0; at < data.length; at += Frame.MAX_PAYLOAD_BYTES) {
      write('D', data, at, Math.min(Frame.MAX_PAYLOAD_BYTES, data.length - at));
    }
  }

  /** Writes what comes before any frame: a length, and so many bytes. */
  void writeProgram(byte[] program) throws IOException {
    output.write(Bytes.uint32(program.length));
    output.write(program);
  }

  void flush() throws IOException {
    writing.lock();
    try {
      output.flush();
    } finally {
      writing.unlock();
    }
  }

  private void write(char type, byte[] data, int offset, int size) throws IOException {
    byte[] frame = new byte[HEADER_BYTES + size];
    frame[0] = (byte) type;
    System.arraycopy(Bytes.uint32(size), 0, frame, 1, 4);
    System.arraycopy(data, offset, frame, HEADER_BYTES, size);
    writing.lock();
    try {
      output.write(frame);
    } finally {
      writing.unlock();
    }
  }

  private byte[] readExactly(int size) throws IOException {
    byte[] bytes = new byte[size];
    int at = 0;
    while (at < size) {
      int count = input.read(bytes, at, size - at);
      if (count < 0) {
        throw new EOFException("the sandbox has ended");
      }
      at += count;
    }
    return bytes;
  }

  private static boolean isLetter(char type) {
    return (type >= 'A' && type <= 'Z') || (type >= 'a' && type <= 'z');
  }
}
