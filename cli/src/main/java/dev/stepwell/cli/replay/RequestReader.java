package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.protocol.Request;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of a log in their order, makes cases of those that are asked for and not done,
 * and gives each when it is due. Owned by the thread that drives the replay.
 *
 * <p>Only what is to be published is waited for, from the first of it on: neither for what an
 * earlier process has sent, nor for what isn't asked for.
 */
final class RequestReader {
  private final RecordedLog.Cursor<RecordedRequest> cursor;
  private final RecordedResults results;
  private final RequestMapper mapper;
  private final Progressed progressed;
  private final ReplaySettings settings;

  /** Whether an earlier process has published what is called so here. */
  private final Predicate<String> sentBefore;

  private final LongSupplier clockMs;
  private final Taker taker;
  private final Speed speed;

  /** How often each id has come again. */
  private final Map<String, Integer> copies = new HashMap<>();

  /** Read and not due yet. */
  private @Nullable Case next;

  private long dueInMs;
  private boolean reachedStart;
  private boolean ended;
  private long handedOn;

  /** Takes what is read, in the log's order. */
  interface Taker {
    /** A request is to be replayed. */
    void admit(Case each) throws InterruptedException;

    /** An earlier process is done with a request. */
    void done(Request request);

    /** A request's message can't be read. */
    void unreadable(RecordedRequest recorded);
  }

  RequestReader(
      RecordedLog.Cursor<RecordedRequest> cursor,
      RecordedResults results,
      RequestMapper mapper,
      Progressed progressed,
      ReplaySettings settings,
      Predicate<String> sentBefore,
      LongSupplier clockMs,
      Taker taker) {
    this.cursor = cursor;
    this.results = results;
    this.mapper = mapper;
    this.progressed = progressed;
    this.settings = settings;
    this.sentBefore = sentBefore;
    this.clockMs = clockMs;
    this.taker = taker;
    speed = new Speed(settings.speed());
    reachedStart = settings.fromStep() == 0;
  }

  /** Whether there is nothing more to read. */
  boolean ended() {
    return ended;
  }

  /** How many requests were handed on that something is going to come of. */
  long handedOn() {
    return handedOn;
  }

  /** How long the next request has to wait, milliseconds; 0 where none does. */
  long dueInMs() {
    return dueInMs;
  }

  /** Reads a request; gives whether there may be another to read at once. */
  boolean read() throws IOException, InterruptedException {
    dueInMs = 0;
    Case pending = next;
    if (pending == null && !ended) {
      RecordedRequest request = cursor.next();
      if (request != null) {
        Case asked = askedFor(request);
        return asked == null || admitWhenDue(asked);
      }
      ended = true;
      results.requestsEnded();
    }
    return pending != null && admitWhenDue(pending);
  }

  private boolean admitWhenDue(Case each) throws InterruptedException {
    if (sentBefore.test(each.replayName())) {
      speed.restart();
    } else {
      dueInMs = speed.waitMs(each.recorded.atMs(), clockMs.getAsLong());
    }
    next = dueInMs > 0 ? each : null;
    if (next == null) {
      handedOn++;
      taker.admit(each);
    }
    return next == null;
  }

  private boolean isDone(RecordedRequest recorded) {
    return progressed.ordinals.get((int) recorded.ordinal());
  }

  /** The case of a request; null where there is nothing to publish. */
  private @Nullable Case askedFor(RecordedRequest recorded) {
    Request request = recorded.request();
    if (request == null) {
      if (settings.session() == null && !isDone(recorded)) {
        handedOn++;
        taker.unreadable(recorded);
      }
      return null;
    }
    String id = request.requestId();
    int copy = results.sawBefore(id) ? copies.merge(id, 1, Integer::sum) : 0;
    if (isDone(recorded)) {
      taker.done(request);
      speed.restart();
      ignore(id, copy);
      return null;
    }
    if (settings.session() != null && !settings.session().equals(request.sessionId())) {
      ignore(id, copy);
      return null;
    }
    Case each = new Case(recorded, request, mapper.id(id), copy);
    if (copy == 0) {
      results.expect(each);
    }
    if (!reachedStart && !reaches(each)) {
      results.drop(each);
      return null;
    }
    reachedStart = true;
    return each;
  }

  private void ignore(String id, int copy) {
    if (copy == 0) {
      results.ignore(id);
    }
  }

  /** Whether the session is to begin with this request. */
  private boolean reaches(Case each) {
    RecordedResult result = each.copy > 0 ? null : results.find(each);
    Long step = result == null ? null : result.result().step();
    return step != null && step >= settings.fromStep();
  }
}
