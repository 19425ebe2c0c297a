package dev.stepwell.cli.log;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A log that was recorded, or plain lines of requests; thread-safe, its cursors are not.
 *
 * <p>Requests and results are read by cursors of their own, because a result may come long after
 * its request: reading one of the two costs nothing for the other. Nothing is held in memory but
 * the block that a cursor is in.
 */
public interface RecordedLog extends AutoCloseable {
  /** Where it came from, and what is known to vary in it. */
  LogHeader header();

  /** How many requests there are; empty where only reading all of it would tell. */
  OptionalLong requestCount();

  /** The requests in the order of their publication, from the first one. */
  Cursor<RecordedRequest> requests() throws IOException;

  /** The results in the order in which they came, from the first one. */
  Cursor<RecordedResult> results() throws IOException;

  /** The snapshots of a session that are in the log, the earliest step first. */
  List<RecordedSnapshot> snapshots(String sessionId) throws IOException;

  /** A snapshot by its id, whichever session left it; null where it is not in the log. */
  @Nullable RecordedSnapshot snapshot(String id) throws IOException;

  /**
   * The bytes of a piece that snapshots need.
   *
   * @param id its SHA-256, 64 hexadecimal digits
   * @return null where it is not in the log
   */
  byte @Nullable [] piece(String id) throws IOException;

  /** Where the file is torn or damaged, so that nothing behind it could be read; null for whole. */
  @Nullable Tear tear();

  @Override
  void close() throws IOException;

  /** Goes through a log once; used by one thread. */
  interface Cursor<T> extends AutoCloseable {
    /**
     * The next one; null at the end, which is also where the file is torn.
     *
     * @throws IOException if the file can't be read
     */
    @Nullable T next() throws IOException;

    /** How much of the file has been read, 0 to 1. */
    double part();

    @Override
    void close() throws IOException;
  }
}
