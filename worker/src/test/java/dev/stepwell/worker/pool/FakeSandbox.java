package dev.stepwell.worker.pool;

import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A sandbox that runs nothing and counts how often it is destroyed. Thread-safe. */
final class FakeSandbox implements Sandbox {
  private final String id;
  private final AtomicBoolean alive = new AtomicBoolean(true);
  private final AtomicInteger destroys = new AtomicInteger();
  private volatile CountDownLatch destroyable = new CountDownLatch(0);
  private volatile @Nullable RuntimeException destroyFailure;
  private volatile @Nullable Thread destroyer;

  private final AtomicInteger living;

  FakeSandbox(String id) {
    this(id, new AtomicInteger());
  }

  /**
   * @param living is one more while this is not destroyed
   */
  FakeSandbox(String id, AtomicInteger living) {
    this.id = id;
    this.living = living;
    living.incrementAndGet();
  }

  void die() {
    alive.set(false);
  }

  boolean alive() {
    return alive.get();
  }

  void holdDestroyUntil(CountDownLatch latch) {
    destroyable = latch;
  }

  void failDestroy(RuntimeException failure) {
    destroyFailure = failure;
  }

  int destroys() {
    return destroys.get();
  }

  @Nullable Thread destroyer() {
    return destroyer;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public InputStream output() {
    return InputStream.nullInputStream();
  }

  @Override
  public OutputStream input() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public SandboxUsage usage() {
    return new SandboxUsage(null, null, 0, 0, "none");
  }

  @Override
  public String diagnostics() {
    return "";
  }

  @Override
  public void destroy() {
    destroyer = Thread.currentThread();
    try {
      destroyable.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    alive.set(false);
    if (destroys.getAndIncrement() == 0) {
      living.decrementAndGet();
    }
    RuntimeException failure = destroyFailure;
    if (failure != null) {
      throw failure;
    }
  }
}
