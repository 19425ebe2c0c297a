package dev.stepwell.worker.state;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which piece lies where, which extents are in use, and which go when there are too many.
 * Thread-safe; its lock is never held over I/O, so it removes no file itself: extents that were
 * dropped here are the caller's to unlink.
 */
final class ExtentIndex {
  /** Files are counted as no smaller, so that their number is bounded as well as their size. */
  private static final long LEAST_EXTENT = 64 << 10;

  /** Pieces are counted as no smaller: each costs some 250 bytes of memory here. */
  private static final long LEAST_PIECE = 16 << 10;

  private final long capacityBytes;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<PieceId, Slot> slots = new HashMap<>();

  /** All extents, the least recently used one first. */
  @GuardedBy("lock")
  private final Map<Extent, Boolean> byUse = new LinkedHashMap<>(64, 0.75f, true);

  @GuardedBy("lock")
  private long heldBytes;

  ExtentIndex(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** Enters a new extent, pinned once. */
  void enter(Extent extent) {
    synchronized (lock) {
      extent.pins = 1;
      extent.weight = LEAST_EXTENT;
      heldBytes += extent.weight;
      byUse.put(extent, true);
    }
  }

  /**
   * Makes a piece of a pinned extent known. Where the same piece lies elsewhere too, the new place
   * is the one that counts: it lies beside what came with it.
   */
  void add(PieceId id, Slot slot) {
    Extent extent = slot.extent();
    long weight = Math.max(LEAST_PIECE, Extent.aligned(slot.bytes()));
    synchronized (lock) {
      slots.put(id, slot);
      extent.pieces.add(id);
      extent.weight += weight;
      heldBytes += weight;
    }
  }

  /** Where a piece lies, its extent now pinned once more; null if it is not here. */
  @Nullable Slot pin(PieceId id) {
    synchronized (lock) {
      return pinLocked(id);
    }
  }

  /** Pins what is here of the pieces, each found one entered into {@code found}. */
  void pin(Collection<PieceId> ids, Map<PieceId, Slot> found) {
    synchronized (lock) {
      for (PieceId id : ids) {
        Slot slot = pinLocked(id);
        if (slot != null) {
          found.put(id, slot);
        }
      }
    }
  }

  @GuardedBy("lock")
  private @Nullable Slot pinLocked(PieceId id) {
    Slot slot = slots.get(id);
    if (slot != null) {
      slot.extent().pins++;
      byUse.get(slot.extent());
    }
    return slot;
  }

  /** Takes one pin each from the extents of these slots. */
  void unpin(Collection<Slot> pinned) {
    synchronized (lock) {
      for (Slot slot : pinned) {
        slot.extent().pins--;
      }
    }
  }

  /**
   * Takes one pin from an extent.
   *
   * @return whether it was dropped, since there is nothing in it; the caller unlinks it
   */
  boolean unpin(Extent extent) {
    synchronized (lock) {
      extent.pins--;
      boolean empty = extent.pins == 0 && extent.pieces.isEmpty();
      return empty && drop(extent);
    }
  }

  /** Drops the extents whose files are not there any more. */
  void forgetVanished() {
    List<Extent> all;
    synchronized (lock) {
      all = List.copyOf(byUse.keySet());
    }
    List<Extent> vanished = all.stream().filter(each -> !Files.exists(each.file())).toList();
    synchronized (lock) {
      vanished.forEach(this::drop);
    }
  }

  @GuardedBy("lock")
  private boolean drop(Extent extent) {
    if (byUse.remove(extent) == null) {
      return false;
    }
    forget(extent);
    return true;
  }

  /** Drops the extents that are too many; the caller unlinks them. */
  List<Extent> dropOverflow() {
    synchronized (lock) {
      return dropUntil(capacityBytes);
    }
  }

  /** Drops extents until about so many bytes are free again; the caller unlinks them. */
  List<Extent> dropAtLeast(long bytes) {
    synchronized (lock) {
      return dropUntil(Math.max(0, heldBytes - bytes));
    }
  }

  @GuardedBy("lock")
  private List<Extent> dropUntil(long goalBytes) {
    List<Extent> dropped = new ArrayList<>();
    Iterator<Extent> oldest = byUse.keySet().iterator();
    while (heldBytes > goalBytes && oldest.hasNext()) {
      Extent extent = oldest.next();
      if (extent.pins == 0) {
        oldest.remove();
        forget(extent);
        dropped.add(extent);
      }
    }
    return dropped;
  }

  @GuardedBy("lock")
  private void forget(Extent extent) {
    heldBytes -= extent.weight;
    for (PieceId id : extent.pieces) {
      Slot slot = slots.get(id);
      if (slot != null && slot.extent() == extent) {
        slots.remove(id);
      }
    }
  }

  /** What everything here counts for, bytes. */
  long heldBytes() {
    synchronized (lock) {
      return heldBytes;
    }
  }

  /** How many files there are. */
  int extents() {
    synchronized (lock) {
      return byUse.size();
    }
  }
}
