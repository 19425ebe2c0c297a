package dev.stepwell.cli.run;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that only grows; thread-safe. A line is with the operating system after {@value
 * #FLUSH_MS} ms, which a killed process can't take back, and on the disk after a second.
 */
final class Journal implements Closeable {
  private static final long FLUSH_MS = 50;
  private static final long FORCE_EVERY = 20;
  private static final int BUFFER_BYTES = 1 << 18;

  private final Path file;
  private final FileChannel channel;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread writer = new Thread(this::flushOften, "run journal");

  /** Guarded by this. Ready to be filled. */
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  /** Guarded by this. Why nothing can be written any more; null while that isn't so. */
  private @Nullable IOException failure;

  private Journal(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
    writer.setDaemon(true);
  }

  /** Opens or begins a journal; what is left of a torn last line is cut off. */
  static Journal open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      channel.truncate(endOfLastLine(channel));
      channel.position(channel.size());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    Journal journal = new Journal(file, channel);
    journal.writer.start();
    return journal;
  }

  private static long endOfLastLine(FileChannel channel) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(1 << 16);
    for (long end = channel.size(); end > 0; ) {
      long start = Math.max(0, end - block.capacity());
      block.clear().limit((int) (end - start));
      while (block.hasRemaining()) {
        if (channel.read(block, start + block.position()) < 0) {
          throw new IOException("the journal became shorter while it was read");
        }
      }
      for (int i = block.limit() - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          return start + i + 1;
        }
      }
      end = start;
    }
    return 0;
  }

  /** Gives every line that was there when this was called, in order. */
  void forEach(Consumer<String> lines) throws IOException {
    synchronized (this) {
      flush();
    }
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
      }
    }
  }

  /**
   * Adds a line.
   *
   * @throws UncheckedIOException if lines can't be written any more, such as on a full disk
   */
  synchronized void append(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      if (buffer.remaining() < bytes.length) {
        flush();
      }
      if (buffer.capacity() < bytes.length) {
        buffer = ByteBuffer.allocate(bytes.length);
      }
      buffer.put(bytes);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Sees to it that every line so far outlives a crash of the machine. */
  synchronized void force() {
    try {
      flush();
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private UncheckedIOException failed(IOException cause) {
    return new UncheckedIOException(
        new IOException("can't write to " + file + ": " + cause.getMessage(), cause));
  }

  /** Called under the lock. A buffer that could not be written stays as it is. */
  private void flush() throws IOException {
    if (failure != null) {
      throw failure;
    }
    buffer.flip();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private void flushOften() {
    try {
      for (long round = 1; !closed.await(FLUSH_MS, TimeUnit.MILLISECONDS); round++) {
        synchronized (this) {
          flush();
        }
        if (round % FORCE_EVERY == 0) {
          // Outside the lock: a slow disk must not stop those who append.
          channel.force(false);
        }
      }
    } catch (IOException e) {
      // Whoever appends next is told.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    try (channel) {
      synchronized (this) {
        if (channel.isOpen()) {
          flush();
          channel.force(false);
        }
      }
    }
  }
}
