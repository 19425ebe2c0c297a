package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.protocol.Request;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Drives a replay: has the log read, its requests published, and what came of them judged. The
 * thread that calls {@link #run} owns everything in here; what happens on other threads comes to it
 * as {@link Events}.
 *
 * <p>{@link RequestReader} reads, {@link Lanes} publishes, {@link Origins} finds what requests
 * start from, {@link RecordedResults} brings what was recorded of them, and {@link Judge} compares.
 */
final class Replay {
  private static final int READ_AT_ONCE = 256;
  private static final long LONGEST_WAIT_MS = 200;
  private static final long CHECKPOINT_EVERY_MS = 1_000;

  private final RecordedLog log;
  private final Courier courier;
  private final RequestMapper mapper;
  private final Progressed progressed;
  private final ReplaySettings settings;
  private final Runnable checkpoint;
  private final LongSupplier clockMs;
  private final Progress progress;
  private final Events events = new Events();
  private final RecordedReferences references = new RecordedReferences();
  private final RecordedResults results;
  private final Restorations restorations;
  private final CountingRecorder findings;
  private final Judge judge;
  private final Origins origins;
  private final Lanes lanes;

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
    this.progressed = progressed;
    this.settings = settings;
    this.checkpoint = checkpoint;
    this.clockMs = clockMs;
    this.progress = progress;
    progressed.references.forEach(references::map);
    results = new RecordedResults(log.results(), references, this::matched);
    restorations = new Restorations(restorer, recorder, events);
    findings = new CountingRecorder(recorder);
    judge = new Judge(comparer, mapper, findings, events::fail);
    origins =
        new Origins(
            new LogSnapshots(log), results, references, restorations, progressed, mapper, recorder);
    lanes = new Lanes(courier, mapper, origins, results, judge, settings, events);
  }

  /** Makes {@link #run} end with a failure. For any thread. */
  void fail(Throwable failure) {
    events.fail(failure);
  }

  /**
   * Replays all of it.
   *
   * @return how many results were recorded without their requests
   */
  long run() throws IOException, InterruptedException {
    try (RecordedLog.Cursor<RecordedRequest> requests = log.requests();
        restorations;
        results;
        judge) {
      drive(requests);
      judge.awaitAll();
      events.await(0);
      return results.orphans();
    }
  }

  private void drive(RecordedLog.Cursor<RecordedRequest> requests)
      throws IOException, InterruptedException {
    RequestReader reader =
        new RequestReader(
            requests,
            results,
            mapper,
            progressed,
            settings,
            courier::sentBefore,
            clockMs,
            new Taker());
    long doneBefore = progressed.ordinals.cardinality();
    long checkpointAtMs = clockMs.getAsLong();
    while (!(reader.ended() && lanes.idle())) {
      lanes.pump();
      boolean more = readSome(reader);
      // What is read is far ahead of what is done.
      double read = (double) doneBefore + reader.handedOn();
      double done = (double) doneBefore + findings.findings();
      progress.part(read == 0 ? requests.part() : requests.part() * done / read);
      events.await(more ? 0 : waitMs(reader));
      if (clockMs.getAsLong() - checkpointAtMs >= CHECKPOINT_EVERY_MS) {
        checkpoint.run();
        checkpointAtMs = clockMs.getAsLong();
      }
    }
  }

  /** Gives whether there may be more to read at once. */
  private boolean readSome(RequestReader reader) throws IOException, InterruptedException {
    for (int i = 0; i < READ_AT_ONCE; i++) {
      if (lanes.full() || !reader.read()) {
        return false;
      }
    }
    return true;
  }

  private static long waitMs(RequestReader reader) {
    long dueInMs = reader.dueInMs();
    return dueInMs == 0 ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, dueInMs);
  }

  /** Hands on what is read. */
  private final class Taker implements RequestReader.Taker {
    @Override
    public void admit(Case each) throws InterruptedException {
      lanes.admit(each);
    }

    @Override
    public void done(Request request) {
      if (request.sessionId() != null) {
        origins.begunBefore(request.sessionId());
      }
    }

    @Override
    public void unreadable(RecordedRequest recorded) {
      judge.unreadable(recorded);
    }
  }

  /** Called back when a case has both results, or will never have. */
  private void matched(Case each) {
    RecordedResult recorded = each.result;
    Answer answer = each.answer;
    if (recorded != null && answer != null) {
      references.map(
          RecordedReferences.told(recorded.result()), RecordedReferences.told(answer.result()));
    }
    origins.gone(each);
    try {
      judge.judge(each);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(new IllegalStateException("interrupted", e));
    }
  }
}
