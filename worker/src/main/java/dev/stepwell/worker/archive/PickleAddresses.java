package dev.stepwell.worker.archive;

import java.util.HashMap;
import java.util.Map;

/**
 * Puts numbers in the order of their appearance in place of the addresses in a pickle: some
 * libraries, matplotlib among them, keep objects by their {@code id}, which is another one in every
 * process. Stateless.
 *
 * <p>What is taken for an address is an int of six bytes that a process on Linux may have objects
 * at, and that objects are aligned to. It is found by its bytes, so something else may be taken for
 * one; two values that differ in nothing but such ints then count as the same.
 */
final class PickleAddresses {
  /** The instruction for an int, and the number of its bytes. */
  private static final int LONG = 0x8a;

  private static final int BYTES = 6;
  private static final int ALIGNMENT = 16;

  private PickleAddresses() {}

  /** The pickle without its addresses; itself if there are none. */
  static byte[] replaced(byte[] pickle) {
    byte[] result = pickle;
    Map<Long, Integer> order = new HashMap<>();
    for (int at = 0; at + 2 + BYTES <= pickle.length; at++) {
      if ((pickle[at] & 0xff) == LONG && pickle[at + 1] == BYTES && isAddress(pickle, at + 2)) {
        if (result == pickle) {
          result = pickle.clone();
        }
        int number = order.computeIfAbsent(value(pickle, at + 2), any -> order.size());
        for (int i = 0; i < BYTES; i++) {
          result[at + 2 + i] = (byte) (i < Integer.BYTES ? number >> (Byte.SIZE * i) : 0);
        }
        at += 1 + BYTES;
      }
    }
    return result;
  }

  private static boolean isAddress(byte[] pickle, int at) {
    int high = pickle[at + BYTES - 1];
    return pickle[at] % ALIGNMENT == 0 && (high == 0x7f || high == 0x55 || high == 0x56);
  }

  private static long value(byte[] pickle, int at) {
    long value = 0;
    for (int i = BYTES - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (pickle[at + i] & 0xff);
    }
    return value;
  }
}
