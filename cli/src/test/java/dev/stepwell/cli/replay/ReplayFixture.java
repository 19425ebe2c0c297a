package dev.stepwell.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.compare.Difference;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.RunId;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A replay over a log, a courier and a worker that are fakes. */
abstract class ReplayFixture {
  static final String SNAPSHOT = "a".repeat(64);

  final RunId run = RunId.random('r');
  final FakeLog log = new FakeLog();
  final Summary summary = new Summary(0);
  final Progressed progressed = new Progressed();
  Map<String, String> profiles = Map.of();
  Map<String, String> environment = Map.of();
  LongSupplier clockMs = System::currentTimeMillis;
  ReplaySettings settings = ReplaySettings.DEFAULT;
  Function<Request, ExecutionResult> worker = this::echo;
  volatile @Nullable RecordedSnapshot restored;
  Progress progress = Progress.NONE;
  long orphans;

  /** Prints the recorded id, and tells references of its own. */
  ExecutionResult echo(Request request) {
    String id = request.requestId().substring(run.text().length() + 1);
    SessionAnswer answer =
        request instanceof SessionRequest operation
                && operation.operation() instanceof SessionOperation.Locate
            ? new SessionAnswer.Located("now." + id, 1)
            : null;
    return FakeLog.result(request.requestId(), request.sessionId(), 1L, id, answer);
  }

  List<Request> replay() throws IOException, InterruptedException {
    try (FakeCourier courier = new FakeCourier(worker)) {
      replay(log, courier);
      return courier.sent;
    }
  }

  void replay(RecordedLog source, FakeCourier courier) throws IOException, InterruptedException {
    Recorder recorder =
        new Recorder() {
          @Override
          public synchronized void record(Finding finding, String replayId) {
            Finding read = Finding.parse(finding.line());
            assertThat(read).isEqualTo(finding);
            summary.add(finding);
            courier.finish(replayId);
          }

          @Override
          public void started(String session, String requestId) {
            courier.finish(requestId);
          }

          @Override
          public void note(String line) {}
        };
    Replay replay =
        new Replay(
            source,
            courier,
            new RequestMapper(run, profiles, environment, false, () -> 0),
            (request, recorded, replayed) ->
                recorded.stdout().equals(replayed.stdout())
                    ? List.of()
                    : List.of(
                        new Difference(
                            Difference.Type.STDOUT,
                            "line 1",
                            recorded.stdout(),
                            replayed.stdout())),
            snapshot -> {
              restored = snapshot;
              return "restored." + snapshot.id();
            },
            recorder,
            progressed,
            settings,
            () -> {},
            clockMs,
            progress);
    orphans = replay.run();
  }

  void recorded(String id, @Nullable String session, @Nullable Long step) {
    log.request(FakeLog.step(id, session)).result(FakeLog.result(id, session, step, id, null));
  }

  List<String> ids(List<Request> sent) {
    return sent.stream().map(each -> each.requestId().substring(run.text().length() + 1)).toList();
  }

  static @Nullable String base(Request request) {
    return RecordedReferences.base(request);
  }
}
