package dev.stepwell.cli.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the entries of one kind, skipping the blocks of the others; used by one thread.
 * Holds one block.
 */
final class BlockCursor<T> implements RecordedLog.Cursor<T> {
  private final BlockLog log;
  private final BlockKind kind;
  private final Reader<T> reader;
  private long position;
  private long ordinal;
  private @Nullable Block block;
  private LineCursor lines = new LineCursor(new byte[0]);

  BlockCursor(BlockLog log, BlockKind kind, Reader<T> reader) {
    this.log = log;
    this.kind = kind;
    this.reader = reader;
  }

  /** Makes an entry of a line. */
  interface Reader<T> {
    /** The entry; null where the line is none. */
    @Nullable T read(byte[] line, long ordinal);
  }

  @Override
  public @Nullable T next() throws IOException {
    while (true) {
      byte[] line = lines.next();
      if (line != null) {
        T entry = reader.read(line, ordinal);
        if (entry != null) {
          ordinal++;
          return entry;
        }
      } else if (!nextBlock()) {
        return null;
      }
    }
  }

  private boolean nextBlock() throws IOException {
    block = null;
    lines = new LineCursor(new byte[0]);
    try {
      while (position < log.end()) {
        BlockHeader header = log.file().header(position);
        if (header.kind() == kind.number()) {
          Block found = log.file().block(position, header);
          if (found.tear() != null) {
            log.torn(found.tear());
          }
          block = found;
          lines = new LineCursor(found.lines());
          position = found.next();
          return true;
        }
        position += header.memberBytes();
      }
    } catch (DamagedBlockException e) {
      log.torn(e.tear());
      position = Long.MAX_VALUE;
    }
    return false;
  }

  @Override
  public double part() {
    if (block == null) {
      return position == 0 ? 0 : 1;
    }
    double read = block.position() + lines.part() * block.header().memberBytes();
    return Math.min(1, read / Math.max(1, log.end()));
  }

  @Override
  public void close() {}
}
