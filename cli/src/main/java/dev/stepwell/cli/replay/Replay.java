package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.cli.run.IdSet;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a log and publishes its requests: those of a session in their order, all others as
 * soon as they may. The thread that calls {@link #run} owns everything in here; what happens on
 * other threads comes to it as events.
 */
final class Replay {
  /** How the reason begins for which all of a session is skipped. */
  static final String WHOLE_SESSION = "session ";

  static final String BASE_MISSING = WHOLE_SESSION + "starts from a base that is not in the log";
  static final String FIRST_MISSING = WHOLE_SESSION + "lacks its first steps";
  static final String OWN_BASE_MISSING = "starts from a base that is not in the log";

  /** How many requests may be read and wait for others before reading stops. */
  private static final int MAX_UNPUBLISHED = 10_000;

  private static final int READ_AT_ONCE = 256;
  private static final long LONGEST_WAIT_MS = 200;
  private static final long CHECKPOINT_EVERY_MS = 1_000;

  private final RecordedLog log;
  private final Courier courier;
  private final RequestMapper mapper;
  private final Restorer restorer;
  private final Recorder recorder;
  private final Progressed progressed;
  private final ReplaySettings settings;
  private final Speed speed;
  private final LongSupplier clockMs;
  private final Progress progress;
  private final Runnable checkpoint;
  private final Judge judge;
  private final RecordedReferences references = new RecordedReferences();
  private final RecordedResults results;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final ExecutorService restoring =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "replay restores snapshots");
            thread.setDaemon(true);
            return thread;
          });

  /** By key; those that have anything to do. */
  private final Map<String, Lane> lanes = new HashMap<>();

  private final LinkedHashSet<Lane> ready = new LinkedHashSet<>();

  /** Read and neither matched nor skipped, by recorded id. */
  private final Map<String, Case> live = new HashMap<>();

  /** Lanes that wait for a request's answer, by its recorded id. */
  private final Map<String, List<Lane>> waitingFor = new HashMap<>();

  private final IdSet started = new IdSet();
  private final Map<String, String> skipped;
  private final Map<String, Integer> copies = new HashMap<>();
  private @Nullable RecordedRequest next;
  private boolean reachedStart;
  private boolean ended;
  private int unpublished;
  private int inFlight;
  private int underWay;
  private int tasks;
  private long dueInMs;

  /** Something that happened, for the thread that drives. */
  private interface Event {
    void happen() throws InterruptedException;
  }

  Replay(
      RecordedLog log,
      Courier courier,
      RequestMapper mapper,
      Comparer comparer,
      Restorer restorer,
      Recorder recorder,
      Progressed progressed,
      ReplaySettings settings,
      Runnable checkpoint,
      LongSupplier clockMs,
      Progress progress)
      throws IOException {
    this.log = log;
    this.courier = courier;
    this.mapper = mapper;
    this.restorer = restorer;
    this.recorder = recorder;
    this.progressed = progressed;
    this.settings = settings;
    this.checkpoint = checkpoint;
    this.clockMs = clockMs;
    this.progress = progress;
    speed = new Speed(settings.speed());
    reachedStart = settings.fromStep() == 0;
    skipped = new HashMap<>(progressed.skipped);
    progressed.references.forEach(references::map);
    judge = new Judge(comparer, mapper, recorder, this::fail);
    results = new RecordedResults(log.results(), references, this::matched);
  }

  /** Makes {@link #run} end with a failure. For any thread. */
  void fail(Throwable failure) {
    events.add(
        () -> {
          throw failure instanceof RuntimeException known
              ? known
              : new IllegalStateException(failure);
        });
  }

  /**
   * Replays all of it.
   *
   * @return how many results were recorded without their requests
   */
  long run() throws IOException, InterruptedException {
    try (RecordedLog.Cursor<RecordedRequest> requests = log.requests();
        results;
        judge) {
      long checkpointAtMs = clockMs.getAsLong();
      while (!(ended && unpublished == 0 && inFlight == 0 && tasks == 0)) {
        pumpReady();
        boolean read = readSome(requests);
        progress.part(requests.part());
        awaitEvents(read ? 0 : Math.min(LONGEST_WAIT_MS, Math.max(1, dueInMs)));
        if (clockMs.getAsLong() - checkpointAtMs >= CHECKPOINT_EVERY_MS) {
          checkpoint.run();
          checkpointAtMs = clockMs.getAsLong();
        }
      }
      judge.awaitAll();
      awaitEvents(0);
      return results.orphans();
    } finally {
      restoring.shutdownNow();
    }
  }

  private void awaitEvents(long waitMs) throws InterruptedException {
    Event event = events.poll(waitMs, TimeUnit.MILLISECONDS);
    while (event != null) {
      event.happen();
      event = events.poll();
    }
  }

  // Reading.

  /** Gives whether there may be more to read at once. */
  private boolean readSome(RecordedLog.Cursor<RecordedRequest> requests)
      throws IOException, InterruptedException {
    dueInMs = LONGEST_WAIT_MS;
    for (int i = 0; i < READ_AT_ONCE; i++) {
      if (ended || unpublished >= MAX_UNPUBLISHED || inFlight >= settings.maxInFlight()) {
        return false;
      }
      RecordedRequest request = next == null ? requests.next() : next;
      next = null;
      if (request == null) {
        ended = true;
        results.requestsEnded();
        return false;
      }
      dueInMs = speed.waitMs(request.atMs(), clockMs.getAsLong());
      if (dueInMs > 0 && !progressed.ordinals.get((int) request.ordinal())) {
        next = request;
        return false;
      }
      take(request);
    }
    return true;
  }

  private void take(RecordedRequest recorded) throws InterruptedException {
    Request request = recorded.request();
    if (request == null) {
      if (settings.session() == null && !progressed.ordinals.get((int) recorded.ordinal())) {
        judge.unreadable(unreadable(recorded));
      }
      return;
    }
    String id = request.requestId();
    int copy = results.sawBefore(id) ? copies.merge(id, 1, Integer::sum) : 0;
    if (progressed.ordinals.get((int) recorded.ordinal())) {
      if (request.sessionId() != null) {
        started.add(request.sessionId());
      }
      ignore(id, copy);
      return;
    }
    if (settings.session() != null && !settings.session().equals(request.sessionId())) {
      ignore(id, copy);
      return;
    }
    Case each = new Case(recorded, request, mapper.id(id), copy);
    if (copy == 0) {
      results.expect(each);
    }
    if (!reachedStart && !reaches(each)) {
      results.drop(each);
      return;
    }
    reachedStart = true;
    admit(each);
  }

  private void ignore(String id, int copy) {
    if (copy == 0) {
      results.ignore(id);
    }
  }

  private boolean reaches(Case each) {
    RecordedResult result = each.copy > 0 ? null : results.find(each);
    Long step = result == null ? null : result.result().step();
    return step != null && step >= settings.fromStep();
  }

  private void admit(Case each) throws InterruptedException {
    if (each.copy == 0) {
      live.put(each.id(), each);
    }
    Lane lane = lanes.computeIfAbsent(each.request.key(), Lane::new);
    lane.waiting.add(each);
    unpublished++;
    pump(lane);
  }

  private static Finding unreadable(RecordedRequest recorded) {
    return new Finding(
        recorded.ordinal(),
        "",
        0,
        null,
        null,
        Verdict.UNREADABLE,
        recorded.problem(),
        List.of(),
        List.of(),
        null,
        List.of(),
        null,
        null,
        null);
  }

  // Publishing.

  private void pumpReady() throws InterruptedException {
    List<Lane> now = new ArrayList<>(ready);
    ready.clear();
    for (Lane lane : now) {
      pump(lane);
    }
  }

  private void pump(Lane lane) throws InterruptedException {
    while (!lane.blocked && !lane.waiting.isEmpty()) {
      Case first = lane.waiting.element();
      String session = first.request.sessionId();
      String reason = session == null ? null : skipped.get(session);
      if (reason != null) {
        skipFirst(lane, reason);
        continue;
      }
      if (inFlight >= settings.maxInFlight()
          || (lane.outstanding == 0 && underWay >= settings.sessions())) {
        ready.add(lane);
        return;
      }
      if (mayStart(lane, first)) {
        publishFirst(lane, first);
      }
    }
    if (lane.idle() && !lane.blocked) {
      lanes.remove(lane.key);
    }
  }

  private void publishFirst(Lane lane, Case first) throws InterruptedException {
    String base = RecordedReferences.base(first.request);
    String now = base == null ? null : resolve(lane, first, base);
    if (base != null && now == null) {
      return;
    }
    lane.waiting.remove();
    unpublished--;
    Request request = mapper.map(first, now);
    if (first.copy > 0) {
      courier.sendAgain(request, first.copy);
      judge.copied(first);
      return;
    }
    send(lane, request, (answer, failure) -> answered(first, answer, failure));
  }

  /** Takes an answer, or why there is none, on the thread that drives. */
  private interface Answered {
    void take(@Nullable Answer answer, @Nullable CourierException failure)
        throws InterruptedException;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What hangs on it tells.
  private void send(Lane lane, Request request, Answered answered) throws InterruptedException {
    inFlight++;
    if (lane.outstanding++ == 0) {
      underWay++;
    }
    courier
        .send(request)
        .whenComplete(
            (answer, failure) ->
                events.add(
                    () -> {
                      inFlight--;
                      if (--lane.outstanding == 0) {
                        underWay--;
                      }
                      answered.take(answer, failure == null ? null : explained(failure));
                      pump(lane);
                    }));
  }

  /** What ends the replay is thrown; what is about one request is given. */
  private static CourierException explained(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (!(cause instanceof CourierException about)) {
      throw new IllegalStateException("no answer", cause);
    }
    switch (about.kind()) {
      case BROKEN, CLOSED -> throw about;
      case TOO_LARGE, REFUSED, UNREADABLE -> {
        return about;
      }
    }
    throw new IllegalStateException("no such kind", about);
  }

  private void answered(Case each, @Nullable Answer answer, @Nullable CourierException failure) {
    each.answer = answer;
    each.failure = failure;
    results.answered(each);
  }

  /** Called back when a case has both results, or will never have. */
  private void matched(Case each) {
    RecordedResult recorded = each.result;
    Answer answer = each.answer;
    if (recorded != null && answer != null) {
      references.map(
          RecordedReferences.told(recorded.result()), RecordedReferences.told(answer.result()));
    }
    gone(each);
    try {
      judge.judge(each);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(new IllegalStateException("interrupted", e));
    }
  }

  private void gone(Case each) {
    if (each.copy > 0) {
      return;
    }
    live.remove(each.id());
    List<Lane> waiting = waitingFor.remove(each.id());
    if (waiting != null) {
      waiting.forEach(this::unblock);
    }
  }

  private void unblock(Lane lane) {
    lane.blocked = false;
    ready.add(lane);
  }

  private void skipFirst(Lane lane, String reason) throws InterruptedException {
    Case first = lane.waiting.remove();
    unpublished--;
    if (first.copy == 0) {
      results.drop(first);
    }
    gone(first);
    judge.skipped(first, reason);
  }

  // What requests start from.

  /** Gives the reference to start from; null where the first request has to wait, or is skipped. */
  private @Nullable String resolve(Lane lane, Case first, String base) throws InterruptedException {
    String now = references.replayed(base);
    if (now != null) {
      return now;
    }
    BooleanSupplier known = () -> references.source(base) != null;
    results.readUntil(known);
    // Reading may have brought the answer together with what was recorded of it.
    now = references.replayed(base);
    if (now != null) {
      return now;
    }
    String source = references.source(base);
    Case teller = source == null ? null : live.get(source);
    if (source != null && teller != null && teller.ordinal() < first.ordinal()) {
      lane.blocked = true;
      waitingFor.computeIfAbsent(source, key -> new ArrayList<>()).add(lane);
      return null;
    }
    RecordedSnapshot snapshot = snapshot(RecordedReferences.snapshotId(base));
    boolean fork =
        first.request instanceof SessionRequest operation
            && operation.operation() instanceof SessionOperation.Fork;
    String session = first.request.sessionId();
    Event leaveOut =
        () -> {
          if (fork && session != null) {
            skipped.put(session, BASE_MISSING);
          } else {
            skipFirst(lane, OWN_BASE_MISSING);
          }
        };
    if (snapshot == null) {
      leaveOut.happen();
    } else {
      restore(lane, snapshot, reference -> references.map(base, reference), leaveOut);
    }
    return null;
  }

  /** Whether a session can begin with this request, having what the recorded one had by then. */
  private boolean mayStart(Lane lane, Case first) throws InterruptedException {
    String session = first.request.sessionId();
    if (session == null || first.copy > 0 || started.contains(session)) {
      return true;
    }
    started.add(session);
    boolean fork =
        first.request instanceof SessionRequest operation
            && operation.operation() instanceof SessionOperation.Fork;
    RecordedResult result = fork ? null : results.find(first);
    Long step = result == null ? null : result.result().step();
    long needed = step == null ? 0 : changes(first.request) ? step - 1 : step;
    if (needed <= 0 || progressed.started.contains(session)) {
      return true;
    }
    RecordedSnapshot snapshot = snapshotBefore(session, needed);
    Event leaveOut = () -> skipped.put(session, FIRST_MISSING);
    if (snapshot == null) {
      leaveOut.happen();
    } else {
      restore(lane, snapshot, reference -> fork(lane, session, reference), leaveOut);
    }
    return false;
  }

  private static boolean changes(Request request) {
    return !(request instanceof SessionRequest operation)
        || !(operation.operation() instanceof SessionOperation.Locate
            || operation.operation() instanceof SessionOperation.History
            || operation.operation() instanceof SessionOperation.GetFile
            || operation.operation() instanceof SessionOperation.ListFiles);
  }

  private void fork(Lane lane, String session, String reference) throws InterruptedException {
    lane.blocked = true;
    Request fork =
        new SessionRequest(
            mapper.id(session + ".start"),
            mapper.id(session),
            new SessionOperation.Fork(reference, false),
            null,
            null);
    send(
        lane,
        fork,
        (answer, failure) -> {
          lane.blocked = false;
          if (answer != null && done(answer.result())) {
            recorder.started(session, fork.requestId());
          } else {
            skipped.put(session, FIRST_MISSING);
          }
        });
  }

  private static boolean done(ExecutionResult result) {
    return result.outcome() == Outcome.COMPLETED
        || (result.error() != null && result.error().code() == ErrorCode.SESSION_EXISTS);
  }

  /** Takes the reference of a restored snapshot. */
  private interface Restored {
    void take(String reference) throws InterruptedException;
  }

  /** The lane is blocked until the snapshot is there, or can't be. */
  private void restore(Lane lane, RecordedSnapshot snapshot, Restored restored, Event failed) {
    lane.blocked = true;
    tasks++;
    restoring.execute(
        () -> {
          try {
            String reference = restorer.restore(snapshot);
            restoredLater(lane, () -> restored.take(reference));
          } catch (IOException e) {
            recorder.note("snapshot " + snapshot.id() + " can't be restored: " + e.getMessage());
            restoredLater(lane, failed);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error e) {
            fail(e);
          }
        });
  }

  private void restoredLater(Lane lane, Event then) {
    events.add(
        () -> {
          tasks--;
          unblock(lane);
          then.happen();
        });
  }

  private @Nullable RecordedSnapshot snapshot(String id) {
    try {
      return log.snapshot(id);
    } catch (IOException e) {
      throw new LogReadException(e);
    }
  }

  private @Nullable RecordedSnapshot snapshotBefore(String session, long step) {
    try {
      RecordedSnapshot found = null;
      for (RecordedSnapshot each : log.snapshots(session)) {
        if (each.step() <= step && (found == null || each.step() > found.step())) {
          found = each;
        }
      }
      return found;
    } catch (IOException e) {
      throw new LogReadException(e);
    }
  }
}
