package dev.stepwell.cli.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * What stands at the beginning of a block: the header of a gzip member whose extra field lets a
 * reader skip the block, or trust it; immutable. All numbers are little-endian, as gzip's own.
 *
 * <pre>
 *   0  1f 8b 08 04            gzip, deflate, with an extra field
 *   4  0 0 0 0 0 ff           no time, no flags, unknown system
 *  10  2C 00                  44 bytes of extra field
 *  12  'S' 'W' 28 00          subfield SW of 40 bytes
 *  16  version, kind, 0, 0
 *  20  size of the member     4 bytes, this header included
 *  24  number of lines        4 bytes
 *  28  first and last time    8 bytes each, milliseconds since the epoch
 *  44  link                   8 bytes
 *  52  CRC-32 of the 52 bytes before
 * </pre>
 *
 * @param version the version of the format
 * @param kind what the block holds, by number
 * @param memberBytes the size of the whole member, at least {@link #MIN_MEMBER_BYTES}
 * @param lines how many lines it holds
 * @param firstAtMs the smallest time of its lines, milliseconds since the epoch
 * @param lastAtMs the largest
 * @param link for {@link BlockKind#END} where the first block of the index begins; else 0
 */
record BlockHeader(
    int version,
    int kind,
    long memberBytes,
    long lines,
    long firstAtMs,
    long lastAtMs,
    long link) {
  static final int BYTES = 56;

  /** A member's CRC-32 and the size of what it holds. */
  static final int TRAILER_BYTES = 8;

  /** What deflate makes of nothing. */
  private static final int EMPTY_BYTES = 2;

  static final int MIN_MEMBER_BYTES = BYTES + EMPTY_BYTES + TRAILER_BYTES;

  private static final int EXTRA_BYTES = 44;
  private static final int SUBFIELD_BYTES = 40;
  private static final int CHECKED_BYTES = BYTES - Integer.BYTES;
  private static final int MAGIC = 0x04088b1f;
  private static final int SUBFIELD = 'S' | 'W' << 8;
  private static final long UNSIGNED = 0xffffffffL;

  /** What is wrong with bytes that should be a header. */
  static final class NoHeaderException extends Exception {
    private static final long serialVersionUID = 1L;

    NoHeaderException(String message) {
      super(message);
    }
  }

  void write(ByteBuffer to) {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(MAGIC).putInt(0).put((byte) 0).put((byte) 0xff);
    buffer.putShort((short) EXTRA_BYTES).putShort((short) SUBFIELD);
    buffer.putShort((short) SUBFIELD_BYTES).put((byte) version).put((byte) kind).putShort((short) 0);
    buffer.putInt((int) memberBytes).putInt((int) lines);
    buffer.putLong(firstAtMs).putLong(lastAtMs).putLong(link);
    buffer.putInt(checksum(buffer.array()));
    to.put(buffer.flip());
  }

  /**
   * Reads a header.
   *
   * @param bytes {@value #BYTES} bytes
   * @throws NoHeaderException saying what is wrong with them
   */
  static BlockHeader read(byte[] bytes) throws NoHeaderException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (buffer.getInt(0) != MAGIC
        || buffer.getShort(12) != SUBFIELD
        || buffer.getShort(14) != SUBFIELD_BYTES) {
      throw new NoHeaderException("no block begins there");
    }
    if (buffer.getInt(CHECKED_BYTES) != checksum(bytes)) {
      throw new NoHeaderException("the checksum of the block's header is wrong");
    }
    BlockHeader header =
        new BlockHeader(
            bytes[16] & 0xff,
            bytes[17] & 0xff,
            buffer.getInt(20) & UNSIGNED,
            buffer.getInt(24) & UNSIGNED,
            buffer.getLong(28),
            buffer.getLong(36),
            buffer.getLong(44));
    if (header.memberBytes < MIN_MEMBER_BYTES) {
      throw new NoHeaderException("the block says it has " + header.memberBytes + " bytes");
    }
    return header;
  }

  /**
   * Whether a file that begins like this is meant to be made of blocks, even if it is damaged.
   *
   * @param start its first bytes, fewer than {@value #BYTES} only where the file has no more
   */
  static boolean looksLikeOne(byte[] start) {
    byte[] magic = {0x1f, (byte) 0x8b, 8, 4};
    int alike = 0;
    for (int i = 0; i < magic.length && i < start.length; i++) {
      alike += start[i] == magic[i] ? 1 : 0;
    }
    if (start.length <= 13) {
      return start.length > 0 && alike == Math.min(start.length, magic.length);
    }
    boolean subfield = start[12] == 'S' && start[13] == 'W';
    boolean half = start[12] == 'S' || start[13] == 'W';
    return subfield ? alike >= 2 : half && alike == magic.length;
  }

  private static int checksum(byte[] header) {
    CRC32 crc = new CRC32();
    crc.update(header, 0, CHECKED_BYTES);
    return (int) crc.getValue();
  }
}
