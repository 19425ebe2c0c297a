package dev.stepwell.cli.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A log in blocks; thread-safe. Its state is looked up by one thread at a time.
 *
 * <p>A damaged block is found when it is read, which a reader that skips it doesn't do. From then on
 * the log ends before it for everybody.
 */
final class BlockLog implements RecordedLog {
  private final BlockFile file;
  private final LogHeader header;
  private final long requestCount;
  private final long indexAt;
  private final Object stateLock = new Object();

  /** Where entries end: at the index, or where the file is torn. */
  private volatile long end;

  private volatile @Nullable Tear tear;

  /** Guarded by {@link #stateLock}; null until something is looked up. */
  private @Nullable StateReader state;

  private BlockLog(BlockFile file, LogHeader header, Layout layout) {
    this.file = file;
    this.header = header;
    requestCount = layout.requests();
    indexAt = layout.index();
    end = layout.end();
    tear = layout.tear();
  }

  /**
   * Opens a file whose beginning looks like a block.
   *
   * @throws LogVersionException if it is of a newer version
   */
  static BlockLog open(Path path) throws IOException {
    BlockFile file = BlockFile.open(path);
    try {
      LogHeader header = header(file, path.toString());
      return new BlockLog(file, header, Layout.of(file));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** What the first block says; empty where it is damaged. */
  private static LogHeader header(BlockFile file, String name) throws IOException {
    LogHeader nothing = new LogHeader(LogEntries.VERSION, 0, "", List.of());
    try {
      BlockHeader first = file.header(0);
      if (first.version() > LogEntries.VERSION) {
        throw new LogVersionException(name, first.version(), LogEntries.VERSION);
      }
      if (first.kind() != BlockKind.HEADER.number()) {
        return nothing;
      }
      byte[] line = new LineCursor(file.block(0, first).lines()).next();
      return line == null ? nothing : LogEntries.header(LogLine.read(line), name);
    } catch (DamagedBlockException | LineException e) {
      return nothing;
    }
  }

  BlockFile file() {
    return file;
  }

  /** Where cursors stop. */
  long end() {
    return end;
  }

  /** Where the index begins; -1 for none. */
  long indexAt() {
    return indexAt;
  }

  /** Remembers damage, unless there is some before it. */
  synchronized void torn(Tear found) {
    Tear known = tear;
    if (known == null || found.position() < known.position()) {
      tear = found;
      end = Math.min(end, found.position());
    }
  }

  @Override
  public LogHeader header() {
    return header;
  }

  @Override
  public OptionalLong requestCount() {
    return OptionalLong.of(requestCount);
  }

  @Override
  public Cursor<RecordedRequest> requests() {
    return new BlockCursor<>(this, BlockKind.REQUESTS, BlockLog::request);
  }

  @Override
  public Cursor<RecordedResult> results() {
    return new BlockCursor<>(this, BlockKind.RESULTS, BlockLog::result);
  }

  private static @Nullable RecordedRequest request(byte[] bytes, long ordinal) {
    try {
      LogLine line = LogLine.read(bytes);
      if (line.type() != LineType.REQUEST) {
        return null;
      }
      String place = "the request at offset %d of partition %d".formatted(line.offset(), line.partition());
      return LogEntries.request(line, ordinal, place);
    } catch (LineException e) {
      return LogEntries.unreadable(ordinal, "a line that is no request: " + e.getMessage());
    }
  }

  private static @Nullable RecordedResult result(byte[] bytes, long ordinal) {
    try {
      LogLine line = LogLine.read(bytes);
      return line.type() == LineType.RESULT ? LogEntries.result(line) : null;
    } catch (LineException e) {
      return null;
    }
  }

  @Override
  public List<RecordedSnapshot> snapshots(String sessionId) throws IOException {
    List<RecordedSnapshot> found = new ArrayList<>();
    synchronized (stateLock) {
      state().session(sessionId, found::add);
    }
    found.sort(Comparator.comparingLong(RecordedSnapshot::step));
    return found;
  }

  @Override
  public @Nullable RecordedSnapshot snapshot(String id) throws IOException {
    synchronized (stateLock) {
      return state().snapshot(id);
    }
  }

  @Override
  public byte @Nullable [] piece(String id) throws IOException {
    synchronized (stateLock) {
      return state().piece(id);
    }
  }

  private StateReader state() throws IOException {
    StateReader reader = state;
    if (reader == null) {
      reader = StateReader.of(this);
      state = reader;
    }
    return reader;
  }

  @Override
  public @Nullable Tear tear() {
    return tear;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
