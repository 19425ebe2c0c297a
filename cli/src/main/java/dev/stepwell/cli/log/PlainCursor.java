package dev.stepwell.cli.log;

import java.io.EOFException;
import java.io.IOException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Goes through a file of lines and takes those of one kind; used by one thread. */
final class PlainCursor<T> implements RecordedLog.Cursor<T> {
  private final PlainLog log;
  private final Reader<T> reader;
  private PlainFile.@Nullable Content content;
  private boolean ended;
  private long ordinal;

  PlainCursor(PlainLog log, Reader<T> reader) {
    this.log = log;
    this.reader = reader;
  }

  /** Makes an entry of a line. */
  interface Reader<T> {
    /** The entry; null where the line is none. */
    @Nullable T read(LineReader.Line where, LogLine line, long ordinal);

    /** The entry for a line that can't be read; null where there is none. */
    @Nullable T unreadable(LineReader.Line where, String reason, long ordinal);
  }

  @Override
  public @Nullable T next() throws IOException {
    while (!ended) {
      LineReader.Line line = nextLine();
      if (line == null) {
        close();
      } else if (!line.blank()) {
        T entry = entry(line);
        if (entry != null) {
          ordinal++;
          return entry;
        }
      }
    }
    return null;
  }

  private LineReader.@Nullable Line nextLine() throws IOException {
    PlainFile.Content open = content;
    try {
      if (open == null) {
        open = log.file().open(0);
        content = open;
      }
      return open.lines().next();
    } catch (EOFException | ZipException e) {
      long read = open == null ? 0 : open.file().bytesRead();
      String reason = e instanceof EOFException ? "ends too early" : "is damaged";
      log.torn(new Tear(read, "the compressed file " + reason));
      return null;
    }
  }

  private @Nullable T entry(LineReader.Line line) {
    if (line.tooLong()) {
      String reason = "it has more than %d MiB".formatted(LineJson.MAX_LINE_BYTES >> 20);
      return reader.unreadable(line, reason, ordinal);
    }
    try {
      LogLine read = LogLine.read(line.bytes());
      if (read.endsEarly()) {
        log.torn(Tear.stopped(position(line)));
      }
      return reader.read(line, read, ordinal);
    } catch (LineException e) {
      if (!line.ended()) {
        log.torn(new Tear(position(line), "the file ends within line " + line.number()));
        return null;
      }
      return reader.unreadable(line, String.valueOf(e.getMessage()), ordinal);
    }
  }

  private long position(LineReader.Line line) {
    return log.file().gzip() ? log.file().bytes() : line.offset();
  }

  @Override
  public double part() {
    PlainFile.Content open = content;
    if (ended) {
      return 1;
    }
    long all = Math.max(1, log.file().bytes());
    return open == null ? 0 : Math.min(1, (double) open.file().bytesRead() / all);
  }

  @Override
  public void close() throws IOException {
    ended = true;
    PlainFile.Content open = content;
    content = null;
    if (open != null) {
      open.close();
    }
  }

  /** Takes requests; a line that is nothing at all is a request that can't be read. */
  static final class Requests implements Reader<RecordedRequest> {
    @Override
    public @Nullable RecordedRequest read(LineReader.Line where, LogLine line, long ordinal) {
      String name = "line-" + where.number();
      byte[] beside = line.request();
      return switch (line.type()) {
        case REQUEST -> LogEntries.request(line, ordinal, "line " + where.number());
        case NONE ->
            LogEntries.foreign(line, beside == null ? line.bytes() : beside, ordinal, name);
        default -> null;
      };
    }

    @Override
    public RecordedRequest unreadable(LineReader.Line where, String reason, long ordinal) {
      return LogEntries.unreadable(ordinal, "line " + where.number() + ": " + reason);
    }
  }

  /** Takes results. */
  static final class Results implements Reader<RecordedResult> {
    @Override
    public @Nullable RecordedResult read(LineReader.Line where, LogLine line, long ordinal) {
      byte[] beside = line.result();
      if (line.type() == LineType.RESULT) {
        return LogEntries.result(line);
      }
      return line.type() == LineType.NONE && beside != null
          ? LogEntries.foreignResult(line, beside, "line-" + where.number())
          : null;
    }

    @Override
    public @Nullable RecordedResult unreadable(LineReader.Line where, String reason, long ordinal) {
      return null;
    }
  }

  /** Takes nothing, and notes where snapshots and pieces are. */
  static final class State implements Reader<Boolean> {
    private final StateIndex index;

    State(StateIndex index) {
      this.index = index;
    }

    @Override
    public @Nullable Boolean read(LineReader.Line where, LogLine line, long ordinal) {
      String id = line.id();
      String session = line.session();
      if (line.type() == LineType.PIECE && id != null) {
        index.piece(id, where.offset());
      } else if (line.type() == LineType.SNAPSHOT && id != null && session != null) {
        index.snapshot(id, session, where.offset());
      }
      return null;
    }

    @Override
    public @Nullable Boolean unreadable(LineReader.Line where, String reason, long ordinal) {
      return null;
    }
  }
}
