package dev.stepwell.cli.run;

/** Lets only so many requests, and so many bytes of them, be on their way; thread-safe. */
final class Room {
  private final int maxCount;
  private final long maxBytes;

  /** Guarded by this. */
  private int count;

  /** Guarded by this. */
  private long bytes;

  Room(int maxCount, long maxBytes) {
    if (maxCount < 1 || maxBytes < 1) {
      throw new IllegalArgumentException(
          "at least one request must fit: " + maxCount + ", " + maxBytes + " bytes");
    }
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  /** Waits until there is room. A request that is larger than all of it goes alone. */
  synchronized void enter(long size) throws InterruptedException {
    while (count >= maxCount || (count > 0 && bytes + size > maxBytes)) {
      wait();
    }
    count++;
    bytes += size;
  }

  synchronized void leave(long size) {
    count--;
    bytes -= size;
    notifyAll();
  }

  synchronized int count() {
    return count;
  }
}
