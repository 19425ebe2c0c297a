package dev.stepwell.cli.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How far a file of blocks is good by the headers of its blocks; immutable.
 *
 * @param end where entries end
 * @param index where the index begins; -1 for none
 * @param requests how many requests there are
 * @param tear where and why it is torn; null where it isn't
 */
record Layout(long end, long index, long requests, @Nullable Tear tear) {
  /** By the file's end if that is whole, else by every block's header. */
  static Layout of(BlockFile file) throws IOException {
    Layout indexed = byEnd(file);
    return indexed == null ? byScan(file) : indexed;
  }

  private static @Nullable Layout byEnd(BlockFile file) throws IOException {
    long last = file.bytes() - BlockHeader.MIN_MEMBER_BYTES;
    try {
      BlockHeader end = last < 0 ? null : file.header(last);
      if (end == null
          || end.kind() != BlockKind.END.number()
          || end.memberBytes() != BlockHeader.MIN_MEMBER_BYTES
          || end.link() < 0
          || end.link() >= last) {
        return null;
      }
      file.block(last, end);
      LogLine said = endLine(file, end.link(), last);
      long requests = said == null ? -1 : LineJson.tree(said.bytes()).path("requests").asLong(-1);
      // A log whose beginning is damaged is no log.
      file.block(0, file.header(0));
      if (said == null || requests < 0) {
        return null;
      }
      Tear tear = said.endsEarly() ? Tear.stopped(end.link()) : null;
      return new Layout(end.link(), end.link(), requests, tear);
    } catch (DamagedBlockException e) {
      return null;
    }
  }

  /** The line that ends the index; null where there is none. */
  private static @Nullable LogLine endLine(BlockFile file, long from, long to)
      throws IOException, DamagedBlockException {
    long position = from;
    LogLine end = null;
    while (position < to) {
      BlockHeader header = file.header(position);
      if (header.kind() != BlockKind.INDEX.number()) {
        return null;
      }
      LineCursor lines = new LineCursor(file.block(position, header).lines());
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        LogLine read = LogLine.readOrNull(line);
        end = read != null && read.type() == LineType.END ? read : end;
      }
      position += header.memberBytes();
    }
    return position == to ? end : null;
  }

  private static Layout byScan(BlockFile file) throws IOException {
    long position = 0;
    long requests = 0;
    long entriesEnd = -1;
    try {
      while (position < file.bytes()) {
        BlockHeader header = file.header(position);
        checkPlace(position, header);
        boolean wanted = header.kind() == BlockKind.REQUESTS.number();
        if (position == 0 || header.memberBytes() > file.bytes() - position) {
          Block block = file.block(position, header);
          if (block.tear() != null) {
            long lines = wanted ? lines(block) : 0;
            return new Layout(file.bytes(), -1, requests + lines, block.tear());
          }
        }
        requests += wanted ? header.lines() : 0;
        if (header.kind() == BlockKind.INDEX.number() && entriesEnd < 0) {
          entriesEnd = position;
        }
        position += header.memberBytes();
      }
    } catch (DamagedBlockException e) {
      return new Layout(e.tear().position(), -1, requests, e.tear());
    }
    Tear tear = new Tear(position, "the file ends before its index: the recording was cut off");
    if (entriesEnd >= 0) {
      tear = new Tear(entriesEnd, "the index at the file's end is cut off or damaged");
    }
    return new Layout(tear.position(), -1, requests, tear);
  }

  private static void checkPlace(long position, BlockHeader header) throws DamagedBlockException {
    if (position == 0 != (header.kind() == BlockKind.HEADER.number())) {
      throw new DamagedBlockException(position, "a log begins with its header, and has it once");
    }
    if (header.version() != LogEntries.VERSION) {
      throw new DamagedBlockException(
          position, "the block is of version " + header.version() + ", unlike the log");
    }
  }

  private static long lines(Block block) {
    long count = 0;
    LineCursor lines = new LineCursor(block.lines());
    while (lines.next() != null) {
      count++;
    }
    return count;
  }
}
