package dev.stepwell.cli.log;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks up snapshots and pieces in a file of blocks; used by one thread at a time. */
final class StateReader {
  private final BlockLog log;
  private final StateIndex index = new StateIndex();

  /** The last one that was looked into: pieces of a snapshot are side by side. */
  private @Nullable Block block;

  private StateReader(BlockLog log) {
    this.log = log;
  }

  /** Reads the index, or where there is none, all blocks that hold state. */
  static StateReader of(BlockLog log) throws IOException {
    StateReader reader = new StateReader(log);
    if (log.indexAt() >= 0) {
      reader.readIndex(log.indexAt());
    } else {
      reader.readBlocks();
    }
    return reader;
  }

  private void readIndex(long from) throws IOException {
    long position = from;
    try {
      BlockHeader header = log.file().header(position);
      while (header.kind() == BlockKind.INDEX.number()) {
        LineCursor lines = new LineCursor(log.file().block(position, header).lines());
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
          index.read(line);
        }
        position += header.memberBytes();
        header = log.file().header(position);
      }
    } catch (DamagedBlockException e) {
      log.torn(e.tear());
    }
  }

  private void readBlocks() throws IOException {
    long position = 0;
    try {
      while (position < log.end()) {
        BlockHeader header = log.file().header(position);
        if (header.kind() == BlockKind.STATE.number()) {
          note(log.file().block(position, header));
        }
        position += header.memberBytes();
      }
    } catch (DamagedBlockException e) {
      log.torn(e.tear());
    }
  }

  private void note(Block found) {
    LineCursor lines = new LineCursor(found.lines());
    for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
      LogLine line = LogLine.readOrNull(bytes);
      if (line == null) {
        continue;
      }
      String id = line.id();
      String session = line.session();
      if (line.type() == LineType.PIECE && id != null) {
        index.piece(id, found.position());
      } else if (line.type() == LineType.SNAPSHOT && id != null && session != null) {
        index.snapshot(id, session, found.position());
      }
    }
  }

  void session(String sessionId, Consumer<RecordedSnapshot> sink) throws IOException {
    for (long place : index.session(sessionId)) {
      lines(
          place,
          line -> {
            RecordedSnapshot snapshot = line.snapshot();
            if (snapshot != null && snapshot.sessionId().equals(sessionId)) {
              sink.accept(snapshot);
            }
            return false;
          });
    }
  }

  @Nullable RecordedSnapshot snapshot(String id) throws IOException {
    LogLine found = find(index.snapshot(id), LineType.SNAPSHOT, id);
    return found == null ? null : found.snapshot();
  }

  byte @Nullable [] piece(String id) throws IOException {
    LogLine found = find(index.piece(id), LineType.PIECE, id);
    return found == null ? null : found.content();
  }

  private @Nullable LogLine find(long place, LineType type, String id) throws IOException {
    if (place == LongMap.ABSENT) {
      return null;
    }
    return lines(place, line -> line.type() == type && id.equals(line.id()));
  }

  /** The first line of a block that is wanted; null where none is, or the block is damaged. */
  private @Nullable LogLine lines(long place, Wanted wanted) throws IOException {
    Block found = block(place);
    if (found == null) {
      return null;
    }
    LineCursor lines = new LineCursor(found.lines());
    for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
      LogLine line = LogLine.readOrNull(bytes);
      if (line != null && wanted.wanted(line)) {
        return line;
      }
    }
    return null;
  }

  private @Nullable Block block(long place) throws IOException {
    Block last = block;
    if (last != null && last.position() == place) {
      return last;
    }
    try {
      Block found = log.file().block(place, log.file().header(place));
      block = found;
      return found;
    } catch (DamagedBlockException e) {
      log.torn(e.tear());
      return null;
    }
  }

  private interface Wanted {
    boolean wanted(LogLine line);
  }
}
