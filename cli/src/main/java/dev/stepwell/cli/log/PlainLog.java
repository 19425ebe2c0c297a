package dev.stepwell.cli.log;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Lines of JSON: those of a log whose blocks were taken apart, requests that others wrote, or
 * requests beside their results; thread-safe.
 */
final class PlainLog implements RecordedLog {
  private final PlainFile file;
  private final LogHeader header;
  private final Object stateLock = new Object();
  private volatile @Nullable Tear tear;

  /** Guarded by {@link #stateLock}; null until something is looked up. Places are offsets. */
  private @Nullable StateIndex index;

  private PlainLog(PlainFile file, LogHeader header) {
    this.file = file;
    this.header = header;
    if (file.bytes() == 0) {
      tear = new Tear(0, "the file is empty");
    }
  }

  /**
   * Opens a file of lines.
   *
   * @throws LogVersionException if it is of a newer version
   */
  static PlainLog open(Path path) throws IOException {
    PlainFile file = PlainFile.of(path);
    return new PlainLog(file, header(file));
  }

  private static LogHeader header(PlainFile file) throws IOException {
    try (PlainFile.Content content = file.open(0)) {
      LineReader.Line first = content.lines().next();
      if (first == null || first.tooLong()) {
        return LogHeader.PLAIN;
      }
      LogLine line = LogLine.read(first.bytes());
      return line.type() == LineType.LOG
          ? LogEntries.header(line, file.path().toString())
          : LogHeader.PLAIN;
    } catch (LineException | EOFException | ZipException e) {
      return LogHeader.PLAIN;
    }
  }

  PlainFile file() {
    return file;
  }

  void torn(Tear found) {
    tear = found;
  }

  @Override
  public LogHeader header() {
    return header;
  }

  @Override
  public OptionalLong requestCount() {
    return file.bytes() == 0 ? OptionalLong.of(0) : OptionalLong.empty();
  }

  @Override
  public Cursor<RecordedRequest> requests() {
    return new PlainCursor<>(this, new PlainCursor.Requests());
  }

  @Override
  public Cursor<RecordedResult> results() {
    return new PlainCursor<>(this, new PlainCursor.Results());
  }

  @Override
  public List<RecordedSnapshot> snapshots(String sessionId) throws IOException {
    List<RecordedSnapshot> found = new ArrayList<>();
    for (long place : index().session(sessionId)) {
      LogLine line = line(place);
      RecordedSnapshot snapshot = line == null ? null : line.snapshot();
      if (snapshot != null && snapshot.sessionId().equals(sessionId)) {
        found.add(snapshot);
      }
    }
    found.sort(Comparator.comparingLong(RecordedSnapshot::step));
    return found;
  }

  @Override
  public @Nullable RecordedSnapshot snapshot(String id) throws IOException {
    LogLine line = line(index().snapshot(id));
    return line == null || !id.equals(line.id()) ? null : line.snapshot();
  }

  @Override
  public byte @Nullable [] piece(String id) throws IOException {
    LogLine line = line(index().piece(id));
    return line == null || !id.equals(line.id()) ? null : line.content();
  }

  private @Nullable LogLine line(long place) throws IOException {
    if (place == LongMap.ABSENT) {
      return null;
    }
    try (PlainFile.Content content = file.open(place)) {
      LineReader.Line line = content.lines().next();
      return line == null ? null : LogLine.readOrNull(line.bytes());
    }
  }

  /** One pass over the file, the first time. */
  private StateIndex index() throws IOException {
    synchronized (stateLock) {
      StateIndex made = index;
      if (made == null) {
        StateIndex fresh = new StateIndex();
        try (PlainCursor<Boolean> all = new PlainCursor<>(this, new PlainCursor.State(fresh))) {
          boolean more = true;
          while (more) {
            more = all.next() != null;
          }
        }
        made = fresh;
        index = fresh;
      }
      return made;
    }
  }

  @Override
  public @Nullable Tear tear() {
    return tear;
  }

  @Override
  public void close() {}
}
