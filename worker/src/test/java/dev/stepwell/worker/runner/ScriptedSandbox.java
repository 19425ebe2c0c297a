package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that says what a test has written down, and keeps what it is told. What it says after
 * its script is nothing, until it is destroyed or its end is part of the script.
 */
final class ScriptedSandbox implements Sandbox {
  private final BlockingQueue<byte[]> script = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();
  private final CountDownLatch destroyed = new CountDownLatch(1);

  private @Nullable Path pieces;

  /** Gives it a folder of pieces. */
  ScriptedSandbox sees(Path folder) {
    pieces = folder;
    return this;
  }

  @Override
  public @Nullable Path pieceFolder() {
    return pieces;
  }

  ScriptedSandbox says(byte... bytes) {
    script.add(bytes);
    return this;
  }

  ScriptedSandbox says(char type, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(type);
    frame.writeBytes(Bytes.uint32(payload.length));
    frame.writeBytes(payload);
    return says(frame.toByteArray());
  }

  ScriptedSandbox says(char type, String... fields) {
    Fields.Writer writer = new Fields.Writer();
    for (int i = 0; i < fields.length; i += 2) {
      writer.add(fields[i], fields[i + 1]);
    }
    return says(type, writer.payload());
  }

  ScriptedSandbox ends() {
    script.add(QueuedInput.END);
    return this;
  }

  synchronized boolean wasTold(char type) {
    return told.toString(StandardCharsets.ISO_8859_1).indexOf(type + "\0\0\0\0") >= 0;
  }

  /** The whole frames that it was told. */
  synchronized List<Frame> told() {
    List<Frame> frames = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(told.toByteArray());
    while (bytes.remaining() >= 5) {
      char type = (char) bytes.get();
      int size = bytes.getInt();
      if (bytes.remaining() < size) {
        break;
      }
      byte[] payload = new byte[size];
      bytes.get(payload);
      frames.add(new Frame(type, payload));
    }
    return frames;
  }

  /** Of its frames those of one type. */
  List<byte[]> told(char type) {
    return told().stream().filter(frame -> frame.type() == type).map(Frame::payload).toList();
  }

  boolean isDestroyed() {
    return destroyed.getCount() == 0;
  }

  @Override
  public String id() {
    return "scripted";
  }

  @Override
  public InputStream output() {
    return new QueuedInput(script);
  }

  @Override
  public OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (isDestroyed()) {
          throw new IOException("destroyed");
        }
        synchronized (ScriptedSandbox.this) {
          told.write(bytes, offset, length);
        }
      }
    };
  }

  @Override
  public SandboxUsage usage() {
    return new SandboxUsage(null, null, 0, 0, "none");
  }

  @Override
  public String diagnostics() {
    return "scripted diagnostics";
  }

  @Override
  public void destroy() {
    destroyed.countDown();
    script.add(QueuedInput.END);
  }
}
