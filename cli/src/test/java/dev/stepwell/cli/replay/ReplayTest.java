package dev.stepwell.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.compare.Difference;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over a log, a courier and a worker that are fakes. */
@Timeout(120)
final class ReplayTest extends ReplayFixture {
  @Test
  void requests_keepTheirOrderAndLoseWhatBelongsToTheRecording()
      throws IOException, InterruptedException {
    for (int i = 1; i <= 300; i++) {
      recorded("q" + i, "s" + i % 3, (long) (i + 2) / 3);
    }
    List<Request> sent = replay();

    assertThat(ids(sent)).hasSize(300).doesNotHaveDuplicates();
    for (int lane = 0; lane < 3; lane++) {
      String session = run.of("s" + lane);
      List<Integer> numbers =
          sent.stream()
              .filter(each -> session.equals(each.sessionId()))
              .map(each -> Integer.parseInt(each.requestId().replaceAll(".*q", "")))
              .toList();
      assertThat(numbers).hasSize(100).isSorted();
    }
    assertThat(sent)
        .allMatch(each -> each.deadlineMs() == null && each.replyTo() == null)
        .allMatch(each -> each.requestId().startsWith(run.text() + "."));
    assertThat(summary.count(Verdict.SAME)).isEqualTo(300);
  }

  @Test
  void progress_isOfWhatIsDone_whichIsBehindWhatIsRead() throws IOException, InterruptedException {
    int all = 300;
    for (int i = 1; i <= all; i++) {
      recorded("q" + i, null, null);
    }
    List<Double> shown = new CopyOnWriteArrayList<>();
    List<Double> tooMuch = new CopyOnWriteArrayList<>();
    progress =
        new Progress() {
          @Override
          public void part(double part) {
            shown.add(part);
            if (part * all > summary.count(Verdict.SAME) + 0.001) {
              tooMuch.add(part);
            }
          }

          @Override
          public void done(String label) {}

          @Override
          public void skipped(long count) {}

          @Override
          public void note(String line) {}

          @Override
          public void close() {}
        };
    worker =
        request -> {
          LockSupport.parkNanos(1_000_000);
          return echo(request);
        };
    replay();

    assertThat(tooMuch).isEmpty();
    assertThat(shown).anyMatch(part -> part > 0 && part < 1);
  }

  @Test
  void difference_isFoundAtItsFirstStep() throws IOException, InterruptedException {
    recorded("a1", "a", 1L);
    recorded("a2", "a", 2L);
    recorded("a3", "a", 3L);
    recorded("b1", "b", 1L);
    worker =
        request ->
            request.requestId().matches(".*a[23]")
                ? FakeLog.result(request.requestId(), request.sessionId(), 2L, "else", null)
                : echo(request);
    replay();

    assertThat(summary.count(Verdict.SAME)).isEqualTo(2);
    assertThat(summary.count(Verdict.DIFFERENT)).isEqualTo(2);
    List<Finding> first = summary.divergences().list();
    assertThat(first).hasSize(1);
    assertThat(first.get(0).name()).isEqualTo("a step 2");
    assertThat(first.get(0).types()).containsExactly(Difference.Type.STDOUT);
  }

  @Test
  void reference_becomesTheOneOfTheReplay() throws IOException, InterruptedException {
    recorded("a1", "a", 1L);
    String then = "then." + SNAPSHOT;
    log.request(FakeLog.operation("loc", "a", new SessionOperation.Locate(1L)))
        .result(FakeLog.result("loc", "a", 1L, "loc", new SessionAnswer.Located(then, 1)))
        .request(FakeLog.operation("fork", "b", new SessionOperation.Fork(then, true)))
        .result(FakeLog.result("fork", "b", 1L, "fork", null));
    recorded("b2", "b", 2L);
    log.request(FakeLog.step("shot", null, null, then))
        .result(FakeLog.result("shot", null, null, "shot", null));
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactlyInAnyOrder("a1", "loc", "fork", "b2", "shot");
    assertThat(ids(sent).indexOf("fork")).isLessThan(ids(sent).indexOf("b2"));
    for (Request each : sent) {
      if (each.requestId().endsWith("fork") || each.requestId().endsWith("shot")) {
        assertThat(base(each)).isEqualTo("now.loc");
      }
    }
    assertThat(summary.count(Verdict.SAME)).isEqualTo(5);
    assertThat(restored).isNull();
  }

  @Test
  void baseThatOnlyTheLogHas_isRestored() throws IOException, InterruptedException {
    log.snapshots.add(new RecordedSnapshot("old", 4, SNAPSHOT, new byte[0], List.of()));
    log.request(FakeLog.operation("fork", "b", new SessionOperation.Fork("x." + SNAPSHOT, false)))
        .result(FakeLog.result("fork", "b", 4L, "fork", null));
    recorded("b5", "b", 5L);
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactly("fork", "b5");
    assertThat(base(sent.get(0))).isEqualTo("restored." + SNAPSHOT);
    assertThat(summary.count(Verdict.SAME)).isEqualTo(2);
  }

  @Test
  void baseThatNobodyHas_leavesItsSessionOut() throws IOException, InterruptedException {
    log.request(FakeLog.operation("fork", "b", new SessionOperation.Fork("x." + SNAPSHOT, false)))
        .result(FakeLog.result("fork", "b", 4L, "fork", null));
    recorded("b5", "b", 5L);
    recorded("a1", "a", 1L);
    log.request(FakeLog.step("shot", null, null, "x." + SNAPSHOT));
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactly("a1");
    assertThat(summary.count(Verdict.SKIPPED)).isEqualTo(3);
    assertThat(summary.reasons(Verdict.SKIPPED))
        .containsEntry(Origins.BASE_MISSING, 2L)
        .containsEntry(Origins.OWN_BASE_MISSING, 1L);
  }

  @Test
  void sessionWithoutItsFirstSteps_isLeftOutOrStartsFromTheSnapshotBefore()
      throws IOException, InterruptedException {
    recorded("a4", "a", 4L);
    recorded("b4", "b", 4L);
    recorded("b5", "b", 5L);
    log.snapshots.add(new RecordedSnapshot("b", 2, "b".repeat(64), new byte[0], List.of()));
    log.snapshots.add(new RecordedSnapshot("b", 3, SNAPSHOT, new byte[0], List.of()));
    log.snapshots.add(new RecordedSnapshot("b", 4, "c".repeat(64), new byte[0], List.of()));
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactly("b.start", "b4", "b5");
    assertThat(base(sent.get(0))).isEqualTo("restored." + SNAPSHOT);
    assertThat(summary.reasons(Verdict.SKIPPED))
        .containsExactly(Map.entry(Origins.FIRST_MISSING, 1L));
    assertThat(summary.count(Verdict.SAME)).isEqualTo(2);
  }

  @Test
  void oneSession_canBeReplayedFromAnyStep() throws IOException, InterruptedException {
    recorded("a1", "a", 1L);
    for (long step = 1; step <= 6; step++) {
      recorded("b" + step, "b", step);
      log.snapshots.add(
          new RecordedSnapshot("b", step, step + "a".repeat(63), new byte[0], List.of()));
    }
    settings = new ReplaySettings(10, Speed.MAX, 1, "b", 4);
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactly("b.start", "b4", "b5", "b6");
    assertThat(base(sent.get(0))).isEqualTo("restored.3" + "a".repeat(63));
    assertThat(orphans).isZero();
  }

  @Test
  void profile_isCalledWhatItIsHere() throws IOException, InterruptedException {
    log.request(FakeLog.step("old", null, "old", null))
        .request(FakeLog.step("none", null, null, null))
        .request(FakeLog.step("other", null, "other", null));
    profiles = Map.of("old", "new", "", "plain");
    List<Request> sent = replay();

    assertThat(sent)
        .extracting(each -> ((ExecutionRequest) each).profile())
        .containsExactly("new", "plain", "other");
    assertThat(summary.count(Verdict.NOT_COMPARED)).isEqualTo(3);
  }

  @Test
  void requestOfAProfileThatIsNotHere_couldNotRun() throws IOException, InterruptedException {
    log.request(FakeLog.step("q", null, "gpu", null))
        .result(FakeLog.result("q", null, null, "q", null));
    worker =
        request -> {
          ExecutionResult done = echo(request);
          return new ExecutionResult(
              done.requestId(),
              null,
              null,
              Outcome.REJECTED,
              null,
              null,
              "",
              "",
              done.truncation(),
              null,
              null,
              new ResultError(ErrorCode.UNKNOWN_PROFILE, "there is none", null, true),
              null,
              done.timings(),
              done.usage(),
              "worker",
              null,
              1);
        };
    replay();

    assertThat(summary.count(Verdict.DIFFERENT)).isZero();
    assertThat(summary.reasons(Verdict.COULD_NOT_RUN))
        .containsExactly(Map.entry("there is no profile gpu here", 1L));
  }

  @Test
  void whatCannotBeReadOrMatched_isCountedAndTheRestGoesOn()
      throws IOException, InterruptedException {
    log.result(FakeLog.result("orphan", null, null, "orphan", null));
    log.unreadable("line 1 is no JSON");
    recorded("good", null, null);
    log.request(FakeLog.step("unanswered", null));
    log.request(FakeLog.step("good", null));
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactly("good", "unanswered", "good");
    assertThat(orphans).isEqualTo(1);
    assertThat(summary.count(Verdict.UNREADABLE)).isEqualTo(1);
    assertThat(summary.count(Verdict.SAME)).isEqualTo(1);
    assertThat(summary.count(Verdict.NOT_COMPARED)).isEqualTo(1);
    assertThat(summary.count(Verdict.COPY)).isEqualTo(1);
  }

  @Test
  void whatAnEarlierProcessHasDone_isNotSentAgain() throws IOException, InterruptedException {
    recorded("a1", "a", 1L);
    recorded("a2", "a", 2L);
    recorded("a3", "a", 3L);
    progressed.ordinals.set(0, 2);
    List<Request> sent = replay();

    assertThat(ids(sent)).containsExactly("a3");
    assertThat(orphans).isZero();
  }

  @Test
  void sessionsUnderWay_areBounded() throws IOException, InterruptedException {
    for (int i = 0; i < 60; i++) {
      recorded("q" + i, "s" + i % 6, (long) i / 6 + 1);
    }
    settings = new ReplaySettings(100, Speed.MAX, 1, null, 0);
    List<Request> sent = replay();
    assertThat(sent).hasSize(60);
    assertThat(summary.count(Verdict.SAME)).isEqualTo(60);
  }

  /** The fork that begins a session from its recorded state is a request under way, too. */
  @Test
  void beginningOfASession_waitsForItsPlace() throws IOException, InterruptedException {
    recorded("a4", "a", 4L);
    log.snapshots.add(new RecordedSnapshot("a", 3, SNAPSHOT, new byte[0], List.of()));
    recorded("b1", "b", 1L);
    recorded("b2", "b", 2L);
    settings = new ReplaySettings(100, Speed.MAX, 1, null, 0);
    AtomicInteger turns = new AtomicInteger();
    clockMs = () -> restored == null ? 0 : turns.incrementAndGet();
    List<String> sentByThen = new CopyOnWriteArrayList<>();
    FakeCourier[] made = new FakeCourier[1];
    worker =
        request -> {
          // The driving thread has heard of the snapshot once it has gone round a few times.
          Awaitility.await().until(() -> turns.get() > 3);
          if (request.requestId().endsWith("b1")) {
            synchronized (made[0].sent) {
              sentByThen.addAll(ids(made[0].sent));
            }
          }
          return echo(request);
        };
    try (FakeCourier courier = new FakeCourier(worker)) {
      made[0] = courier;
      replay(log, courier);
      assertThat(ids(courier.sent)).containsExactly("b1", "b2", "a.start", "a4");
    }
    assertThat(sentByThen).containsExactly("b1", "b2");
  }

  @Test
  void withheldVariable_hasTheGivenValueOrIsNamed() throws IOException, InterruptedException {
    log.request(
        0, FakeLog.variables("q", Map.of("TOKEN", "*", "KEY", "*", "HOME", "/h")), "TOKEN", "KEY");
    environment = Map.of("TOKEN", "secret", "HOME", "/elsewhere");
    List<Request> sent = replay();

    assertThat(((ExecutionRequest) sent.get(0)).environment())
        .containsExactlyInAnyOrderEntriesOf(Map.of("TOKEN", "secret", "KEY", "*", "HOME", "/h"));
    assertThat(summary.withheld()).containsExactly(Map.entry("KEY", 1L));
    assertThat(ReplayLines.of(new ReplayOutcome("log", 0, 1, summary, orphans, null)))
        .anyMatch(line -> line.startsWith("the value of KEY was left out of the log"))
        .noneMatch(line -> line.contains("TOKEN") || line.contains("secret"));
  }

  /** All requests were published before the first result came, and results in another order. */
  @Test
  void longLog_isReadNoFurtherAheadThanNeeded() throws IOException, InterruptedException {
    long count = 60_000;
    AtomicLong read = new AtomicLong();
    AtomicLong answered = new AtomicLong();
    AtomicLong furthest = new AtomicLong();
    RecordedLog made =
        new MadeUpLog(
            count,
            index -> {
              read.set(index);
              return new RecordedRequest(
                  index, 0, "q" + index, FakeLog.step("q" + index, null), null, List.of());
            },
            index -> {
              furthest.accumulateAndGet(index - answered.get(), Math::max);
              long number = index ^ 7;
              return new RecordedResult(
                  0, FakeLog.result("q" + number, null, null, "q" + number, null));
            });
    worker =
        request -> {
          answered.incrementAndGet();
          return echo(request);
        };
    try (FakeCourier courier = new FakeCourier(worker, false)) {
      replay(made, courier);
    }
    assertThat(summary.count(Verdict.SAME)).isEqualTo(count);
    assertThat(furthest.get()).isLessThan(RecordedResults.MAX_AHEAD);
    assertThat(Objects.requireNonNull(read).get()).isEqualTo(count - 1);
  }
}
