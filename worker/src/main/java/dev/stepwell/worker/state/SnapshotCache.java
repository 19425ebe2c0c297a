package dev.stepwell.worker.state;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.stepwell.protocol.SnapshotReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the most recently used snapshots in memory, up to a bound in bytes. Thread-safe.
 *
 * <p>A session's steps mostly run on the same worker one after the other, so the snapshot that one
 * leaves is the one that the next reads. Losing the cache costs a read, never a state.
 */
public final class SnapshotCache implements SnapshotSource {
  private final SnapshotSource source;
  private final long capacityBytes;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<String, byte[]> byId = new LinkedHashMap<>(64, 0.75f, true);

  @GuardedBy("lock")
  private long heldBytes;

  /**
   * @param capacityBytes how much to keep; 0 keeps nothing
   */
  public SnapshotCache(SnapshotSource source, long capacityBytes) {
    this.source = source;
    this.capacityBytes = capacityBytes;
  }

  @Override
  public byte[] read(int partition, SnapshotReference reference)
      throws SnapshotException, InterruptedException {
    synchronized (lock) {
      byte[] held = byId.get(reference.id());
      if (held != null) {
        return held;
      }
    }
    byte[] read = source.read(partition, reference);
    keep(reference.id(), read);
    return read;
  }

  /** Takes a snapshot in, the oldest ones giving way. One beyond the capacity is not kept. */
  public void keep(String id, byte[] bytes) {
    if (bytes.length > capacityBytes) {
      return;
    }
    synchronized (lock) {
      if (byId.put(id, bytes) == null) {
        heldBytes += bytes.length;
      }
      Iterator<byte[]> oldest = byId.values().iterator();
      while (heldBytes > capacityBytes) {
        heldBytes -= oldest.next().length;
        oldest.remove();
      }
    }
  }
}
