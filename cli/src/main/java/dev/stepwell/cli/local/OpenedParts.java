package dev.stepwell.cli.local;

import dev.stepwell.cli.process.CommandException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What has been opened so far, to be closed the other way round; thread-safe. What comes when it is
 * closed already is closed at once.
 */
final class OpenedParts implements AutoCloseable {
  /** Guarded by itself; null elements don't occur. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private boolean closed;

  /** Keeps a part; gives it back. */
  <T extends AutoCloseable> T add(T part) {
    synchronized (parts) {
      if (!closed) {
        parts.push(part);
        return part;
      }
    }
    close(part, null);
    throw new CommandException("ended while starting");
  }

  /** Closes everything, the failure of one not keeping the others from it. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (AutoCloseable part = take(); part != null; part = take()) {
      failure = close(part, failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable AutoCloseable take() {
    synchronized (parts) {
      closed = true;
      return parts.poll();
    }
  }

  private static @Nullable RuntimeException close(
      AutoCloseable part, @Nullable RuntimeException earlier) {
    try {
      part.close();
      return earlier;
    } catch (Exception e) {
      if (earlier == null) {
        return new CommandException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
      }
      earlier.addSuppressed(e);
      return earlier;
    }
  }
}
