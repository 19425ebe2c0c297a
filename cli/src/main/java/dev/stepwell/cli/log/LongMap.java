package dev.stepwell.cli.log;

import java.io.IOException;
import java.util.Arrays;

/**
 * A map from 64-bit digests to numbers of at least 0, 16 bytes for each place in its table; used by
 * one thread at a time.
 */
public final class LongMap {
  /** What {@link #get} answers for a key that isn't there. */
  public static final long ABSENT = -1;

  private static final int INITIAL = 1024;

  private long[] keys = new long[INITIAL];
  private long[] values = filled(INITIAL);
  private int size;

  /** How many keys there are. */
  public int size() {
    return size;
  }

  /** The number of a key, or {@link #ABSENT}. */
  public long get(long key) {
    return values[place(key)];
  }

  /**
   * Sets the number of a key.
   *
   * @param value at least 0
   * @return the number that it had, or {@link #ABSENT}
   */
  public long put(long key, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("value is " + value + ", must be at least 0");
    }
    int place = place(key);
    long before = values[place];
    keys[place] = key;
    values[place] = value;
    if (before == ABSENT && ++size > keys.length / 4 * 3) {
      grow();
    }
    return before;
  }

  /** Gives all keys with their numbers, in no order. */
  void forEach(Entries entries) throws IOException {
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != ABSENT) {
        entries.entry(keys[i], values[i]);
      }
    }
  }

  /** Takes keys with their numbers. */
  interface Entries {
    void entry(long key, long value) throws IOException;
  }

  /** Where a key is, or the free place where it would be. Digests need no further scattering. */
  private int place(long key) {
    int mask = keys.length - 1;
    int place = (int) (key ^ key >>> 32) & mask;
    while (values[place] != ABSENT && keys[place] != key) {
      place = place + 1 & mask;
    }
    return place;
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = filled(2 * oldKeys.length);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != ABSENT) {
        int place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        values[place] = oldValues[i];
      }
    }
  }

  private static long[] filled(int length) {
    long[] values = new long[length];
    Arrays.fill(values, ABSENT);
    return values;
  }
}
