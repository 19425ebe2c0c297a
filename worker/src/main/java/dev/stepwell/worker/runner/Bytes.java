package dev.stepwell.worker.runner;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Numbers as the channel writes them: unsigned, big-endian, 4 bytes where nothing else is said. */
final class Bytes {
  private Bytes() {}

  /** Numbers in a row, of 4 bytes each; negative ones as their two's complement. */
  static byte[] uint32s(List<Integer> values) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.size());
    values.forEach(bytes::putInt);
    return bytes.array();
  }

  /**
   * Reads a row of numbers of 4 bytes each, signed.
   *
   * @throws ChannelViolation if the bytes are none, or more than {@code most} numbers
   */
  static List<Integer> int32s(byte[] bytes, int most, String what) throws ChannelViolation {
    if (bytes.length % Integer.BYTES != 0 || bytes.length / Integer.BYTES > most) {
      throw new ChannelViolation(what + " of " + bytes.length + " bytes");
    }
    List<Integer> values = new ArrayList<>(bytes.length / Integer.BYTES);
    ByteBuffer row = ByteBuffer.wrap(bytes);
    while (row.hasRemaining()) {
      values.add(row.getInt());
    }
    return values;
  }

  static long uint32(byte[] bytes, int at) {
    return (bytes[at] & 0xffL) << 24
        | (bytes[at + 1] & 0xffL) << 16
        | (bytes[at + 2] & 0xffL) << 8
        | (bytes[at + 3] & 0xffL);
  }

  static byte[] uint32(int value) {
    return new byte[] {
      (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
    };
  }
}
