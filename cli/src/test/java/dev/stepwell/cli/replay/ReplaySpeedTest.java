package dev.stepwell.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole replay by a clock that only the test moves on. */
@Timeout(120)
final class ReplaySpeedTest extends ReplayFixture {
  private static final long BEGUN_AT_MS = 5_000_000;

  private final AtomicLong nowMs = new AtomicLong(BEGUN_AT_MS);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);

  /** Session b begins from what a's {@code loc} tells of, and one-shots come in between. */
  private void record() {
    String then = "then." + SNAPSHOT;
    log.request(1_000, FakeLog.step("a1", "a"))
        .request(1_000, FakeLog.operation("loc", "a", new SessionOperation.Locate(1L)))
        .request(1_200, FakeLog.operation("fork", "b", new SessionOperation.Fork(then, false)))
        .request(1_200, FakeLog.step("one", null))
        .request(1_400, FakeLog.step("b2", "b"))
        .request(1_600, FakeLog.step("b3", "b"))
        .request(1_600, FakeLog.step("a2", "a"))
        .request(2_000, FakeLog.step("two", null))
        .request(2_400, FakeLog.step("b4", "b"));
    log.result(FakeLog.result("loc", "a", 1L, "loc", new SessionAnswer.Located(then, 1)));
    worker =
        request -> {
          try {
            assertThat(mayAnswer.await(60, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return echo(request);
        };
  }

  private void published(FakeCourier courier, long afterMs, String... expected) {
    nowMs.set(BEGUN_AT_MS + afterMs);
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(stamped(courier)).containsExactly(expected));
  }

  private List<String> stamped(FakeCourier courier) {
    synchronized (courier.sent) {
      List<String> ids = ids(courier.sent);
      return IntStream.range(0, ids.size())
          .mapToObj(i -> ids.get(i) + " " + (courier.sentAtMs.get(i) - BEGUN_AT_MS))
          .toList();
    }
  }

  private CompletableFuture<Void> start(FakeCourier courier) {
    clockMs = nowMs::get;
    return CompletableFuture.runAsync(
        () -> {
          try {
            replay(log, courier);
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void replayed(double speed)
      throws InterruptedException, ExecutionException, TimeoutException {
    record();
    settings = new ReplaySettings(100, speed, Integer.MAX_VALUE, null, 0);
    List<String> expected = new ArrayList<>();
    try (FakeCourier courier = new FakeCourier(worker, true, nowMs::get)) {
      CompletableFuture<Void> replay = start(courier);
      proceed(courier, speed, 0, expected, "a1", "loc");
      proceed(courier, speed, 200, expected, "one");
      proceed(courier, speed, 400, expected);
      proceed(courier, speed, 600, expected, "a2");
      mayAnswer.countDown();
      proceed(courier, speed, 600, expected, "fork", "b2", "b3");
      proceed(courier, speed, 1_000, expected, "two");
      proceed(courier, speed, 1_400, expected, "b4");
      replay.get(60, TimeUnit.SECONDS);
    }
    assertThat(summary.count(Verdict.SAME) + summary.count(Verdict.NOT_COMPARED)).isEqualTo(9);
  }

  /** Moves the clock to when requests are due, with the moment before it on the way. */
  private void proceed(
      FakeCourier courier, double speed, long recordedMs, List<String> expected, String... due) {
    long afterMs = (long) (recordedMs / speed);
    nowMs.set(Math.max(nowMs.get(), BEGUN_AT_MS + afterMs - 1));
    for (String each : due) {
      expected.add(each + " " + afterMs);
    }
    published(courier, afterMs, expected.toArray(new String[0]));
  }

  @Test
  void original_keepsTheRecordedDistancesAndEachSessionsOrderWhenAnAnswerComesLate()
      throws Exception {
    replayed(1);
  }

  @Test
  void factor_dividesTheDistances() throws Exception {
    replayed(4);
  }

  @Test
  void max_publishesAtOnce() throws Exception {
    record();
    mayAnswer.countDown();
    try (FakeCourier courier = new FakeCourier(worker, true, nowMs::get)) {
      start(courier).get(60, TimeUnit.SECONDS);
      assertThat(courier.sentAtMs).hasSize(9).containsOnly(BEGUN_AT_MS);
    }
  }
}
