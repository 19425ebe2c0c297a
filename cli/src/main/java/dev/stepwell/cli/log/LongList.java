package dev.stepwell.cli.log;

import java.util.Arrays;

/** Numbers in the order in which they came; used by one thread at a time. */
final class LongList {
  private long[] values = new long[64];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  long get(int place) {
    if (place >= size) {
      throw new IndexOutOfBoundsException(place + " of " + size);
    }
    return values[place];
  }

  int size() {
    return size;
  }
}
