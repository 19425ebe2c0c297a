package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.run.IdSet;
import dev.stepwell.protocol.ExecutionResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the recorded results to the cases, reading ahead no further than it must. Owned by the
 * thread that drives the replay.
 *
 * <p>Results come in another order than their requests, and some never. So three things may have to
 * wait, each of them bounded: results whose request hasn't been read, cases that have their answer
 * and no recorded result, and ids of requests that an earlier process has finished with.
 */
final class RecordedResults implements AutoCloseable {
  /** How many results may wait for their requests before reading ahead stops. */
  static final int MAX_AHEAD = 20_000;

  private static final long MAX_AHEAD_BYTES = 128L << 20;

  /** How many cases may wait for a recorded result; the oldest has none then. */
  static final int MAX_WAITING = 20_000;

  /** A result whose request isn't among the next so many has none. */
  private static final long MAX_AGE = 100_000;

  private static final int ENTRY_BYTES = 1_000;

  private final RecordedLog.Cursor<RecordedResult> cursor;
  private final RecordedReferences references;

  /** Takes a case that has its answer, and its recorded result if there is one. */
  private final Consumer<Case> matched;

  /** Every id of a request that was read. */
  private final IdSet seen = new IdSet();

  /** Read, without a recorded result so far. */
  private final Map<String, Case> expecting = new HashMap<>();

  private final LinkedHashMap<String, Ahead> ahead = new LinkedHashMap<>();
  private final LinkedHashSet<Case> waiting = new LinkedHashSet<>();
  private final LinkedHashSet<String> finished = new LinkedHashSet<>();
  private long aheadBytes;
  private long requestsRead;
  private long orphans;
  private boolean requestsEnded;
  private boolean ended;

  private record Ahead(RecordedResult result, long bytes, long requestsRead) {}

  RecordedResults(
      RecordedLog.Cursor<RecordedResult> cursor,
      RecordedReferences references,
      Consumer<Case> matched) {
    this.cursor = cursor;
    this.references = references;
    this.matched = matched;
  }

  /** A request was read; gives whether one of its id was read before. */
  boolean sawBefore(String id) {
    requestsRead++;
    if (seen.contains(id)) {
      return true;
    }
    seen.add(id);
    return false;
  }

  /** A case wants its recorded result, if not at once. */
  void expect(Case request) {
    Ahead there = takeAhead(request.id());
    if (there == null) {
      expecting.put(request.id(), request);
    } else {
      request.result = there.result;
    }
  }

  /** The recorded result of a case is of no interest any more. */
  void drop(Case request) {
    if (request.result == null) {
      expecting.remove(request.id());
      ignore(request.id());
    }
  }

  /** The recorded result of a request that is no case is of no interest. */
  void ignore(String id) {
    if (takeAhead(id) == null && !ended) {
      finished.add(id);
      if (finished.size() > MAX_WAITING) {
        removeFirst(finished);
      }
      work();
    }
  }

  /** A case has its answer: hands it on once its recorded result is there, or will never be. */
  void answered(Case request) {
    if (request.result != null || ended) {
      expecting.remove(request.id());
      matched.accept(request);
      return;
    }
    waiting.add(request);
    work();
    while (waiting.size() > MAX_WAITING) {
      giveUp(removeFirst(waiting));
    }
  }

  private void work() {
    while (!ended && !(waiting.isEmpty() && finished.isEmpty()) && mayReadAhead()) {
      read();
    }
  }

  /** Reads ahead for a case's recorded result; null where it isn't found within the bounds. */
  @Nullable RecordedResult find(Case request) {
    readUntil(() -> request.result != null);
    return request.result;
  }

  /** Reads ahead until something is so, within the bounds. */
  void readUntil(BooleanSupplier reached) {
    while (!reached.getAsBoolean() && !ended && mayReadAhead()) {
      read();
    }
  }

  private boolean mayReadAhead() {
    if (requestsEnded) {
      forgetAhead();
      return true;
    }
    Iterator<Ahead> oldest = ahead.values().iterator();
    while (oldest.hasNext()) {
      Ahead first = oldest.next();
      if (requestsRead - first.requestsRead <= MAX_AGE) {
        break;
      }
      orphans++;
      aheadBytes -= first.bytes;
      oldest.remove();
    }
    return ahead.size() < MAX_AHEAD && aheadBytes < MAX_AHEAD_BYTES;
  }

  private void read() {
    RecordedResult next;
    try {
      next = cursor.next();
    } catch (IOException e) {
      throw new LogReadException(e);
    }
    if (next == null) {
      end();
    } else {
      take(next);
    }
  }

  private void take(RecordedResult next) {
    String id = next.result().requestId();
    references.noteSource(next.result());
    Case request = expecting.remove(id);
    if (request != null) {
      request.result = next;
      if (waiting.remove(request)) {
        matched.accept(request);
      }
    } else if (!finished.remove(id) && !seen.contains(id)) {
      Ahead entry = new Ahead(next, bytes(next.result()), requestsRead);
      Ahead before = ahead.put(id, entry);
      aheadBytes += entry.bytes - (before == null ? 0 : before.bytes);
    }
  }

  private void end() {
    ended = true;
    finished.clear();
    while (!waiting.isEmpty()) {
      giveUp(removeFirst(waiting));
    }
  }

  private void giveUp(Case request) {
    expecting.remove(request.id());
    matched.accept(request);
  }

  /** There are no more requests: whatever was read ahead belongs to none. */
  void requestsEnded() {
    requestsEnded = true;
    work();
  }

  /** How many results belong to no request, once everything else is done; reads the rest. */
  long orphans() {
    readUntil(() -> false);
    forgetAhead();
    return orphans;
  }

  private void forgetAhead() {
    orphans += ahead.size();
    ahead.clear();
    aheadBytes = 0;
  }

  private @Nullable Ahead takeAhead(String id) {
    Ahead there = ahead.remove(id);
    if (there != null) {
      aheadBytes -= there.bytes;
    }
    return there;
  }

  private static <T> T removeFirst(Set<T> set) {
    Iterator<T> first = set.iterator();
    T removed = first.next();
    first.remove();
    return removed;
  }

  private static long bytes(ExecutionResult result) {
    return ENTRY_BYTES
        + 2L * (result.stdout().length() + result.stderr().length())
        + result.artifacts().stream()
            .mapToLong(each -> each.content() == null ? 0 : each.content().size())
            .sum();
  }

  @Override
  public void close() throws IOException {
    cursor.close();
  }
}
