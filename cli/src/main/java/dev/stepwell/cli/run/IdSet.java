package dev.stepwell.cli.run;

/**
 * Remembers ids by 64 bits of each, in 16 bytes at most two thirds full; used by one thread at a
 * time. That one of a million ids is taken for another has a chance of one in thirty million.
 */
public final class IdSet {
  private static final int FIRST_SLOTS = 1 << 10;
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Zero is a free slot. A power of two of them, so that a mask finds one. */
  private long[] slots = new long[FIRST_SLOTS];

  private int size;

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Remembers an id. */
  public void add(String id) {
    if (3L * (size + 1) > 2L * slots.length) {
      grow();
    }
    if (put(hash(id))) {
      size++;
    }
  }

  /** Whether an id is there. */
  public boolean contains(String id) {
    return slots[find(hash(id))] != 0;
  }

  /** Forgets an id; gives whether it was there. */
  public boolean remove(String id) {
    int slot = find(hash(id));
    if (slots[slot] == 0) {
      return false;
    }
    size--;
    close(slot);
    return true;
  }

  /** Moves back what was pushed behind a slot that is free now, so that it is still found. */
  private void close(int freed) {
    int mask = slots.length - 1;
    int hole = freed;
    for (int i = (hole + 1) & mask; slots[i] != 0; i = (i + 1) & mask) {
      int home = (int) slots[i] & mask;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        slots[hole] = slots[i];
        hole = i;
      }
    }
    slots[hole] = 0;
  }

  private int find(long hash) {
    int mask = slots.length - 1;
    int slot = (int) hash & mask;
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    for (long hash : old) {
      if (hash != 0) {
        put(hash);
      }
    }
  }

  private boolean put(long hash) {
    int slot = find(hash);
    boolean isNew = slots[slot] == 0;
    slots[slot] = hash;
    return isNew;
  }

  private static long hash(String id) {
    long hash = FNV_BASIS;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * FNV_PRIME;
    }
    // The low bits choose the slot, and FNV leaves them the weakest.
    hash ^= hash >>> 33;
    hash *= 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    return hash == 0 ? 1 : hash;
  }
}
