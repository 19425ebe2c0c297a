package dev.stepwell.worker.state;

import dev.stepwell.worker.state.store.ObjectStore;
import dev.stepwell.worker.state.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store in memory that a test can make fail or hang. Thread-safe. */
final class FakeStore implements ObjectStore {
  final Map<String, byte[]> objects = new ConcurrentHashMap<>();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger busiest = new AtomicInteger();
  private volatile StoreException.@Nullable Kind failure;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** From now on everything fails so. */
  void fail(StoreException.Kind kind) {
    failure = kind;
  }

  /** From now on nothing ends until the latch opens. */
  CountDownLatch hang() {
    gate = new CountDownLatch(1);
    return gate;
  }

  /** How many calls there were at once, at most. */
  int busiest() {
    return busiest.get();
  }

  @Override
  public void put(String name, byte[] bytes) throws StoreException, InterruptedException {
    call();
    objects.put(name, bytes);
  }

  @Override
  public byte[] get(String name, int maxBytes) throws StoreException, InterruptedException {
    call();
    byte[] bytes = objects.get(name);
    if (bytes == null) {
      throw new StoreException(StoreException.Kind.NOT_FOUND, "no " + name, new IOException());
    }
    return bytes;
  }

  private void call() throws StoreException, InterruptedException {
    busiest.accumulateAndGet(busy.incrementAndGet(), Math::max);
    try {
      gate.await();
      StoreException.Kind kind = failure;
      if (kind != null) {
        throw new StoreException(kind, "as told", new IOException());
      }
    } finally {
      busy.decrementAndGet();
    }
  }

  @Override
  public void close() {
    objects.clear();
  }
}
