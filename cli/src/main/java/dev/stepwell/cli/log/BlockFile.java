package dev.stepwell.cli.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads a file of blocks at any place; thread-safe: nothing of it changes. */
final class BlockFile implements AutoCloseable {
  /** More is in no block: a message has 64 MiB at most, a piece less. */
  private static final long MAX_LINES_BYTES = 512L << 20;

  private static final int CHUNK_BYTES = 64 << 10;

  private final FileChannel channel;
  private final long bytes;

  private BlockFile(FileChannel channel, long bytes) {
    this.channel = channel;
    this.bytes = bytes;
  }

  /** Opens a file as it is now; what is appended later isn't seen. */
  static BlockFile open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    return new BlockFile(channel, channel.size());
  }

  long bytes() {
    return bytes;
  }

  /** The header of the block at a place before the file's end. */
  BlockHeader header(long position) throws IOException, DamagedBlockException {
    if (bytes - position < BlockHeader.BYTES) {
      throw new DamagedBlockException(position, "the file ends within the header of a block");
    }
    try {
      return BlockHeader.read(read(position, BlockHeader.BYTES));
    } catch (BlockHeader.NoHeaderException e) {
      throw new DamagedBlockException(position, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads and checks the block at a place. Where the file ends within it, what is there is given
   * unchecked, up to its last whole line.
   */
  Block block(long position, BlockHeader header) throws IOException, DamagedBlockException {
    if (header.memberBytes() > bytes - position) {
      return cut(position, header);
    }
    if (header.memberBytes() > MAX_LINES_BYTES) {
      throw new DamagedBlockException(position, "the block is larger than any may be");
    }
    byte[] member = read(position, (int) header.memberBytes());
    int bodyBytes = member.length - BlockHeader.BYTES - BlockHeader.TRAILER_BYTES;
    byte[] lines = inflate(position, member, bodyBytes, true);
    ByteBuffer trailer = ByteBuffer.wrap(member).order(ByteOrder.LITTLE_ENDIAN);
    CRC32 crc = new CRC32();
    crc.update(lines);
    if (trailer.getInt(member.length - BlockHeader.TRAILER_BYTES) != (int) crc.getValue()
        || trailer.getInt(member.length - Integer.BYTES) != lines.length) {
      throw new DamagedBlockException(position, "the checksum of the block is wrong");
    }
    if (count(lines) != header.lines()) {
      throw new DamagedBlockException(position, "the block hasn't as many lines as it says");
    }
    return new Block(position, header, lines, null);
  }

  private Block cut(long position, BlockHeader header) throws IOException, DamagedBlockException {
    int there = (int) Math.min(bytes - position, MAX_LINES_BYTES);
    byte[] member = read(position, there);
    byte[] inflated = inflate(position, member, there - BlockHeader.BYTES, false);
    int whole = inflated.length;
    while (whole > 0 && inflated[whole - 1] != '\n') {
      whole--;
    }
    Tear tear = new Tear(position, "the file ends within a block");
    return new Block(position, header, Arrays.copyOf(inflated, whole), tear);
  }

  /**
   * Inflates a member's body.
   *
   * @param whole whether anything but a body that ends where it should is damage; else what comes
   *     out until it stops counts
   */
  private static byte[] inflate(long position, byte[] member, int bodyBytes, boolean whole)
      throws DamagedBlockException {
    Inflater inflater = new Inflater(true);
    ByteArrayOutputStream lines = new ByteArrayOutputStream(Math.min(4 * bodyBytes, 2 << 20));
    try {
      inflater.setInput(member, BlockHeader.BYTES, bodyBytes);
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int n = inflater.inflate(chunk); n > 0; n = inflater.inflate(chunk)) {
        lines.write(chunk, 0, n);
        if (lines.size() > MAX_LINES_BYTES) {
          throw new DamagedBlockException(position, "the block holds more than any may");
        }
      }
      if (whole && (!inflater.finished() || inflater.getRemaining() > 0)) {
        throw new DamagedBlockException(position, "the block doesn't end where it says");
      }
    } catch (DataFormatException e) {
      if (whole) {
        throw new DamagedBlockException(position, "the block can't be inflated");
      }
    } finally {
      inflater.end();
    }
    return lines.toByteArray();
  }

  private static long count(byte[] lines) {
    long count = 0;
    for (byte each : lines) {
      count += each == '\n' ? 1 : 0;
    }
    return count;
  }

  /** Bytes that are there by the file's size. */
  byte[] read(long position, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
    return buffer.array();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
