package dev.stepwell.worker.state;

import dev.stepwell.worker.state.store.ObjectStore;
import dev.stepwell.worker.state.store.StoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads and writes pieces in the object store, several at once. Thread-safe; closes the store.
 *
 * <p>The store is only touched by threads of this class, so that a caller gets away in time even
 * where a file system hangs.
 */
final class StorePieces implements PieceSource, AutoCloseable {
  private final ObjectStore store;
  private final int concurrency;
  private final long timeMs;
  private final ExecutorService threads;

  /**
   * @param concurrency how many objects are read and written at once, of all callers
   * @param timeMs how long one may take
   */
  StorePieces(ObjectStore store, int concurrency, long timeMs) {
    this.store = store;
    this.concurrency = concurrency;
    this.timeMs = timeMs;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            concurrency,
            task -> {
              Thread thread = new Thread(task, "object-store-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void read(List<Piece> pieces, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    each(pieces, piece -> store.get(piece.id().hex(), piece.bytes()), receiver);
  }

  /** Gets the bytes of a piece that is to be written. */
  @FunctionalInterface
  interface Content {
    byte[] of(Piece piece) throws SnapshotException, InterruptedException;
  }

  /**
   * Writes pieces; blocks until all of them are there.
   *
   * @throws SnapshotException if one can't be written; others may have been
   */
  void write(List<Piece> pieces, Content content) throws SnapshotException, InterruptedException {
    try {
      each(
          pieces,
          piece -> {
            byte[] bytes = content.of(piece);
            store.put(piece.id().hex(), bytes);
            return bytes;
          },
          (piece, bytes) -> {});
    } catch (IOException e) {
      throw new IllegalStateException("nothing here throws it", e);
    }
  }

  @FunctionalInterface
  private interface Work {
    byte[] on(Piece piece) throws StoreException, SnapshotException, InterruptedException;
  }

  private record Begun(Piece piece, Future<byte[]> bytes) {}

  /** Works on a few pieces ahead of the one that is handed over, which bounds the memory. */
  private void each(List<Piece> pieces, Work work, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    Deque<Begun> begun = new ArrayDeque<>();
    Iterator<Piece> left = pieces.iterator();
    try {
      while (left.hasNext() || !begun.isEmpty()) {
        while (left.hasNext() && begun.size() < 2 * concurrency) {
          Piece piece = left.next();
          begun.add(new Begun(piece, threads.submit(() -> work.on(piece))));
        }
        Begun next = begun.removeFirst();
        try {
          receiver.take(next.piece(), result(next.bytes()));
        } finally {
          next.bytes().cancel(true);
        }
      }
    } catch (RejectedExecutionException e) {
      throw closed(e);
    } finally {
      new ArrayList<>(begun).forEach(each -> each.bytes().cancel(true));
    }
  }

  private byte[] result(Future<byte[]> bytes) throws SnapshotException, InterruptedException {
    try {
      // Once its own time and once that of those before it.
      return bytes.get(2 * timeMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SnapshotException("the object store did not answer in time", e, false);
    } catch (CancellationException e) {
      throw closed(e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof StoreException refused) {
        throw new SnapshotException(
            String.valueOf(refused.getMessage()), refused, refused.permanent());
      }
      if (cause instanceof SnapshotException known) {
        throw new SnapshotException(String.valueOf(known.getMessage()), known, known.permanent());
      }
      if (cause instanceof InterruptedException) {
        throw closed(e);
      }
      throw new SnapshotException("the object store failed: " + cause, cause, false);
    }
  }

  private static SnapshotException closed(Exception cause) {
    return new SnapshotException("the worker stops", cause, false);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    store.close();
  }
}
