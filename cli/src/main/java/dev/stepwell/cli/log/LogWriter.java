package dev.stepwell.cli.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes a log; used by one thread at a time. {@code docs/log-format.md} says what comes out.
 *
 * <p>It goes straight into the file: what a process that is killed leaves behind is a torn log,
 * good up to its tear. Memory is bounded by three blocks and 40 bytes for each snapshot and piece.
 */
public final class LogWriter implements AutoCloseable {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final long SYNC_BYTES = 16 << 20;
  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final FileChannel channel;
  private final BlockBuffer requests = new BlockBuffer(BlockKind.REQUESTS);
  private final BlockBuffer results = new BlockBuffer(BlockKind.RESULTS);
  private final BlockBuffer state = new BlockBuffer(BlockKind.STATE);

  /** By the number of the block, not its place, which is known only when the block is written. */
  private final StateIndex index = new StateIndex();

  private final LongList stateBlocks = new LongList();
  private long position;
  private long synced;
  private long flushedNanos = System.nanoTime();
  private long requestCount;
  private long resultCount;
  private LogCounts counts = LogCounts.NONE;
  private boolean closed;

  private LogWriter(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Begins a log.
   *
   * @param recordedAtMs when, in milliseconds since the epoch
   * @param ignore the rules for what is known to vary, in their written form
   * @param replace whether a file of that name may go
   * @throws FileAlreadyExistsException if it may not, and is there
   */
  public static LogWriter create(
      Path file, long recordedAtMs, LogOrigin origin, List<String> ignore, boolean replace)
      throws IOException {
    FileChannel channel =
        replace
            ? FileChannel.open(
                file,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING)
            : FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    LogWriter writer = new LogWriter(channel);
    BlockBuffer header = new BlockBuffer(BlockKind.HEADER);
    LineWriter line = new LineWriter(LineType.LOG).number("version", LogEntries.VERSION);
    line.number("recordedAtMs", recordedAtMs).json("source", origin.json());
    header.add(line.texts("ignore", ignore).line(), recordedAtMs);
    writer.write(header, 0);
    return writer;
  }

  /**
   * Appends a request.
   *
   * @param atMs when it was published, in milliseconds since the epoch
   * @param key the key it was published under
   * @param message its message, whatever it is
   * @param withheld names of environment variables whose values were taken out of it
   */
  public void request(
      long atMs, int partition, long offset, String key, byte[] message, List<String> withheld)
      throws IOException {
    LineWriter line = placed(LineType.REQUEST, atMs, partition, offset).text("key", key);
    message(line, message);
    if (!withheld.isEmpty()) {
      line.texts("withheld", withheld);
    }
    requestCount++;
    add(requests, line.line(), atMs);
  }

  /**
   * Appends a result.
   *
   * @param atMs when it was published, in milliseconds since the epoch
   * @param requestId the request's id
   * @param message its message, whatever it is
   */
  public void result(long atMs, int partition, long offset, String requestId, byte[] message)
      throws IOException {
    LineWriter line = placed(LineType.RESULT, atMs, partition, offset);
    line.text("requestId", requestId);
    message(line, message);
    resultCount++;
    add(results, line.line(), atMs);
  }

  /** Appends a snapshot; its pieces may come before or after it. */
  public void snapshot(RecordedSnapshot snapshot) throws IOException {
    LineWriter line = new LineWriter(LineType.SNAPSHOT).text("session", snapshot.sessionId());
    line.number("step", snapshot.step()).text("id", snapshot.id());
    line.base64("description", snapshot.description()).texts("pieces", snapshot.pieces());
    addState(line.line());
    index.snapshot(snapshot.id(), snapshot.sessionId(), stateBlocks.size());
  }

  /** Appends a piece, unless it is there already. */
  public void piece(String id, byte[] content) throws IOException {
    if (hasPiece(id)) {
      return;
    }
    addState(new LineWriter(LineType.PIECE).text("id", id).base64("content", content).line());
    index.piece(id, stateBlocks.size());
  }

  /** Whether a piece was appended. */
  public boolean hasPiece(String id) {
    return index.piece(id) != LongMap.ABSENT;
  }

  /** Says what the log's end is to say; without it, that recording was stopped. */
  public void counts(LogCounts counts) {
    this.counts = counts;
  }

  /** Whether a snapshot was appended, whichever session left it. */
  public boolean hasSnapshot(String id) {
    return index.snapshot(id) != LongMap.ABSENT;
  }

  /** How many bytes the file has by now. */
  public long bytes() {
    return position;
  }

  /** How many requests, results, snapshots and pieces were appended. */
  public Appended appended() {
    return new Appended(requestCount, resultCount, index.snapshots(), index.pieces());
  }

  /** What was appended; immutable. */
  public record Appended(long requests, long results, long snapshots, long pieces) {}

  /** Makes blocks of what waits, so that a torn log has it. */
  public void flush() throws IOException {
    writeUnlessEmpty(requests);
    writeUnlessEmpty(results);
    writeUnlessEmpty(state);
    flushedNanos = System.nanoTime();
  }

  /** Flushes if the last time was 2 s ago; for whoever waits between entries. */
  public void flushNowAndThen() throws IOException {
    if (System.nanoTime() - flushedNanos > FLUSH_NANOS) {
      flush();
    }
  }

  /** Writes the index and lets everything reach the disk. Idempotent. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (channel) {
      flush();
      writeIndex();
      channel.force(true);
    }
  }

  private void writeIndex() throws IOException {
    long begin = position;
    BlockBuffer buffer = new BlockBuffer(BlockKind.INDEX);
    for (byte[] line : index.lines(stateBlocks)) {
      makeRoom(buffer, line.length);
      buffer.add(line, 0);
    }
    LineWriter end = new LineWriter(LineType.END).number("requests", requestCount);
    end.number("results", resultCount).number("sessions", counts.sessions());
    end.number("unanswered", counts.unanswered());
    end.number("withoutRequest", counts.withoutRequest());
    end.number("snapshots", index.snapshots()).number("pieces", index.pieces());
    if (counts.stopped()) {
      end.json("stopped", "true");
    }
    buffer.add(end.line(), 0);
    write(buffer, 0);
    write(new BlockBuffer(BlockKind.END), begin);
  }

  private static LineWriter placed(LineType type, long atMs, int partition, long offset) {
    LineWriter line = new LineWriter(type).number("atMs", atMs);
    return line.number("partition", partition).number("offset", offset);
  }

  private static void message(LineWriter line, byte[] message) {
    byte @Nullable [] json = LineJson.oneLine(message);
    if (json != null) {
      line.json("message", json);
    } else {
      line.base64("raw", message);
    }
  }

  private void add(BlockBuffer buffer, byte[] line, long atMs) throws IOException {
    makeRoom(buffer, line.length);
    buffer.add(line, atMs);
    flushNowAndThen();
  }

  /** The line's block is then the one that is written next, number {@code stateBlocks.size()}. */
  private void addState(byte[] line) throws IOException {
    flushNowAndThen();
    makeRoom(state, line.length);
    state.add(line, 0);
  }

  private void makeRoom(BlockBuffer buffer, int bytes) throws IOException {
    if (buffer.bytes() + bytes > BLOCK_BYTES) {
      writeUnlessEmpty(buffer);
    }
  }

  private void writeUnlessEmpty(BlockBuffer buffer) throws IOException {
    if (!buffer.isEmpty()) {
      write(buffer, 0);
    }
  }

  private void write(BlockBuffer buffer, long link) throws IOException {
    if (buffer == state) {
      stateBlocks.add(position);
    }
    ByteBuffer member = ByteBuffer.wrap(buffer.take(link));
    position += member.remaining();
    while (member.hasRemaining()) {
      channel.write(member);
    }
    if (position - synced >= SYNC_BYTES) {
      channel.force(false);
      synced = position;
    }
  }
}
