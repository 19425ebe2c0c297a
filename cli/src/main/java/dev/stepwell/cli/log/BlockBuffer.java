package dev.stepwell.cli.log;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** The lines of one kind that wait to become a block; used by one thread. */
final class BlockBuffer {
  private static final int CHUNK_BYTES = 64 << 10;

  private final BlockKind kind;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(8 << 10);
  private long count;
  private long firstAtMs = Long.MAX_VALUE;
  private long lastAtMs = Long.MIN_VALUE;

  BlockBuffer(BlockKind kind) {
    this.kind = kind;
  }

  void add(byte[] line, long atMs) {
    lines.writeBytes(line);
    count++;
    firstAtMs = Math.min(firstAtMs, atMs);
    lastAtMs = Math.max(lastAtMs, atMs);
  }

  int bytes() {
    return lines.size();
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** The block as a gzip member; the buffer is empty afterwards. */
  byte[] take(long link) {
    byte[] plain = lines.toByteArray();
    byte[] body = deflate(plain);
    int memberBytes = BlockHeader.BYTES + body.length + BlockHeader.TRAILER_BYTES;
    ByteBuffer member = ByteBuffer.allocate(memberBytes).order(ByteOrder.LITTLE_ENDIAN);
    boolean timed = count > 0;
    new BlockHeader(
            LogEntries.VERSION,
            kind.number(),
            memberBytes,
            count,
            timed ? firstAtMs : 0,
            timed ? lastAtMs : 0,
            link)
        .write(member);
    CRC32 crc = new CRC32();
    crc.update(plain);
    member.put(body).putInt((int) crc.getValue()).putInt(plain.length);
    clear();
    return member.array();
  }

  private void clear() {
    lines.reset();
    count = 0;
    firstAtMs = Long.MAX_VALUE;
    lastAtMs = Long.MIN_VALUE;
  }

  private static byte[] deflate(byte[] plain) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(plain);
      deflater.finish();
      ByteArrayOutputStream body = new ByteArrayOutputStream(plain.length / 4 + 64);
      byte[] chunk = new byte[CHUNK_BYTES];
      while (!deflater.finished()) {
        body.write(chunk, 0, deflater.deflate(chunk));
      }
      return body.toByteArray();
    } finally {
      deflater.end();
    }
  }
}
