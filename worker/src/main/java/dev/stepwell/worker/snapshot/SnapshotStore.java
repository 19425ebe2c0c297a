package dev.stepwell.worker.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.stepwell.worker.state.BlobRecords;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads snapshots, and remembers the ones lately used or made. Thread-safe.
 *
 * <p>A session's steps mostly run on the same worker one after the other, so what one leaves is
 * what the next reads. Forgetting costs a read of Kafka, never a state.
 */
public final class SnapshotStore {
  private final BlobRecords records;
  private final long capacityBytes;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<Location, Snapshot> known = new LinkedHashMap<>(64, 0.75f, true);

  @GuardedBy("lock")
  private long heldBytes;

  /**
   * @param capacityBytes how much to remember, roughly; pieces are not part of it
   */
  public SnapshotStore(BlobRecords records, long capacityBytes) {
    this.records = records;
    this.capacityBytes = capacityBytes;
  }

  /**
   * The snapshot that was written down there; blocks if it must be read.
   *
   * @throws SnapshotException if it can't be had, or is not what was committed
   */
  public Snapshot read(Stored at) throws SnapshotException, InterruptedException {
    synchronized (lock) {
      Snapshot held = known.get(at.at());
      if (held != null && held.stored().id().equals(at.id())) {
        return held;
      }
    }
    Snapshot read = SnapshotCodec.read(at, new OneBundleAtATime());
    keep(read);
    return read;
  }

  /** Remembers a snapshot that was just made. */
  public void keep(Snapshot snapshot) {
    if (snapshot.weight() > capacityBytes) {
      return;
    }
    synchronized (lock) {
      Snapshot before = known.put(snapshot.stored().at(), snapshot);
      heldBytes += snapshot.weight() - (before == null ? 0 : before.weight());
      Iterator<Snapshot> oldest = known.values().iterator();
      while (heldBytes > capacityBytes) {
        heldBytes -= oldest.next().weight();
        oldest.remove();
      }
    }
  }

  /** A snapshot's objects mostly lie in one record, which is then read once. */
  private final class OneBundleAtATime implements dev.stepwell.worker.workspace.FolderCodec.Source {
    private int partition = -1;
    private long offset;
    private int count;
    private byte @Nullable [] held;

    @Override
    public byte[] read(Stored stored) throws SnapshotException, InterruptedException {
      Location.InTopic at = stored.at();
      byte[] bytes = held;
      if (bytes == null
          || partition != at.partition()
          || offset != at.offset()
          || count != at.records()) {
        bytes = records.read(at.partition(), at.offset(), at.records());
        partition = at.partition();
        offset = at.offset();
        count = at.records();
        held = bytes;
      }
      if (at.start() < 0 || stored.bytes() < 0 || at.start() > bytes.length - stored.bytes()) {
        throw new SnapshotException(
            "object " + stored.id().hex() + " is not where it was written", null, true);
      }
      return Arrays.copyOfRange(bytes, at.start(), at.start() + stored.bytes());
    }
  }
}
