package dev.stepwell.worker.sandbox.docker;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A container's standard streams over one connection to the engine.
 *
 * <p>Nothing is read ahead of the reader of {@link #output()}, so that a flood waits in the
 * container and not here. One thread may read while another writes; any may close.
 */
final class Attachment implements Closeable {
  private static final int BUFFER_BYTES = 32 << 10;

  private final Wire wire;
  private final MultiplexedInput output;
  private final OutputStream input;

  private Attachment(Wire wire, InputStream fromEngine) {
    this.wire = wire;
    this.output = new MultiplexedInput(fromEngine);
    this.input =
        new FilterOutputStream(new BufferedOutputStream(wire.output(), BUFFER_BYTES)) {
          private boolean closed;

          @Override
          public void write(byte[] source, int offset, int length) throws IOException {
            out.write(source, offset, length);
          }

          @Override
          public void close() throws IOException {
            if (!closed) {
              closed = true;
              flush();
              wire.endOutput();
            }
          }
        };
  }

  /**
   * Asks the engine for the streams of a container. Blocks until it answers; close {@code wire} to
   * give up. Closes it itself if it fails.
   *
   * @throws IOException if the engine refuses
   */
  static Attachment open(Wire wire, String container) throws IOException {
    try {
      InputStream fromEngine = new BufferedInputStream(wire.input(), BUFFER_BYTES);
      Exchange.attach(wire.output(), fromEngine, container);
      return new Attachment(wire, fromEngine);
    } catch (IOException e) {
      wire.close();
      throw e;
    }
  }

  /** What the container writes to its standard output. */
  InputStream output() {
    return output;
  }

  /** The container's standard input; closing it tells the container that nothing more comes. */
  OutputStream input() {
    return input;
  }

  /** What the reader of the output has passed by of standard error: its end. */
  String errors() {
    return output.errors();
  }

  /** Ends both streams. Idempotent. */
  @Override
  public void close() throws IOException {
    wire.close();
  }
}
