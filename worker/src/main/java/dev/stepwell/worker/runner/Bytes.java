package dev.stepwell.worker.runner;

/** Numbers as the channel writes them: 4 bytes, unsigned, big-endian. */
final class Bytes {
  private Bytes() {}

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
