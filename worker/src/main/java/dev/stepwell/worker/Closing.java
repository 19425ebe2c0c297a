package dev.stepwell.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must be closed, newest first. Thread-safe. A part that fails to close is logged and keeps no
 * other from being closed.
 */
final class Closing {
  private static final Logger log = LoggerFactory.getLogger(Closing.class);

  /** How a part is closed. */
  interface Closer<T> {
    void close(T part) throws Exception;
  }

  private record Part(String name, AutoCloseable closer) {}

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Deque<Part> parts = new ArrayDeque<>();

  <T> T add(T part, String name, Closer<? super T> closer) {
    synchronized (lock) {
      parts.push(new Part(name, () -> closer.close(part)));
    }
    return part;
  }

  void close() {
    boolean interrupted = Thread.interrupted();
    for (Part part = next(); part != null; part = next()) {
      try {
        part.closer().close();
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (Exception e) {
        log.warn("the {} did not close", part.name(), e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private @org.jspecify.annotations.Nullable Part next() {
    synchronized (lock) {
      return parts.poll();
    }
  }
}
