package dev.stepwell.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.run.RunId;
import dev.stepwell.protocol.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** By a clock that only the test moves on. */
final class RequestReaderTest implements RequestReader.Taker {
  private final RunId run = RunId.random('r');
  private final FakeLog log = new FakeLog();
  private final Progressed progressed = new Progressed();
  private final List<String> taken = new ArrayList<>();
  private Set<String> sentBefore = Set.of();
  private long nowMs = 70_000;

  @Override
  public void admit(Case each) {
    taken.add(each.id());
  }

  @Override
  public void done(Request request) {
    taken.add("done " + request.requestId());
  }

  @Override
  public void unreadable(RecordedRequest recorded) {
    taken.add("unreadable " + recorded.ordinal());
  }

  private RequestReader reader(double speed, @Nullable String session) {
    return new RequestReader(
        log.requests(),
        new RecordedResults(log.results(), new RecordedReferences(), each -> {}),
        new RequestMapper(run, Map.of(), Map.of(), false, () -> 0),
        progressed,
        new ReplaySettings(10, speed, 10, session, 0),
        sentBefore::contains,
        () -> nowMs,
        this);
  }

  private void passes(long ms, RequestReader reader, String... expected)
      throws IOException, InterruptedException {
    nowMs += ms;
    taken.clear();
    while (reader.read()) {
      assertThat(reader.dueInMs()).isZero();
    }
    assertThat(taken).containsExactly(expected);
  }

  @Test
  void requests_areReadWhenTheyAreDue() throws IOException, InterruptedException {
    log.request(1_000, FakeLog.step("a1", "a"))
        .request(1_000, FakeLog.step("b1", "b"))
        .request(1_500, FakeLog.step("a2", "a"))
        .unreadable("no JSON")
        .request(0, FakeLog.step("timeless", null))
        .request(3_000, FakeLog.step("b2", "b"));
    RequestReader reader = reader(2, null);

    passes(0, reader, "a1", "b1");
    assertThat(reader.dueInMs()).isEqualTo(250);
    passes(249, reader);
    passes(1, reader, "a2", "unreadable 3", "timeless");
    passes(749, reader);
    assertThat(reader.ended()).isFalse();
    passes(1, reader, "b2");
    assertThat(reader.ended()).isTrue();
  }

  @Test
  void whatWasSentBefore_isNotWaitedFor() throws IOException, InterruptedException {
    for (int i = 1; i <= 6; i++) {
      log.request(i * 1_000_000L, FakeLog.step("q" + i, null));
    }
    progressed.ordinals.set(0, 2);
    sentBefore = Set.of(run.of("q4"));
    RequestReader reader = reader(1, null);

    passes(0, reader, "done q1", "done q2", "q3", "q4", "q5");
    passes(999_999, reader);
    passes(1, reader, "q6");
  }

  @Test
  void whatIsNotAskedFor_isNotWaitedFor() throws IOException, InterruptedException {
    log.request(1_000, FakeLog.step("a1", "a"))
        .request(900_000, FakeLog.step("b1", "b"))
        .request(900_500, FakeLog.step("a2", "a"))
        .request(900_700, FakeLog.step("b2", "b"));
    RequestReader reader = reader(1, "b");

    passes(0, reader, "b1");
    passes(699, reader);
    passes(1, reader, "b2");
  }
}
