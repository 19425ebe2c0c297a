package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class ForksTest {
  private final FakeTransport transport = new FakeTransport();
  private final ScriptedSessions worker = new ScriptedSessions(transport);
  private final Session session =
      new Stepwell(
              Stepwell.builder("fake:0").answerTimeout(Duration.ofMillis(200)).options(), transport)
          .open()
          .session("s");

  @BeforeEach
  void locate() {
    worker.on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("ref", 3));
  }

  @Test
  void forks_areAllAskedForBeforeOneIsWaitedFor() {
    List<Request> waiting = new ArrayList<>();
    worker.result(
        SessionOperation.Fork.class,
        request -> {
          waiting.add(request);
          if (waiting.size() == 64) {
            waiting.forEach(fork -> transport.reply(TestResults.answered(fork, null)));
          }
          return null;
        });
    List<Session> forks = session.forks(3, 64);
    assertThat(forks).extracting(Session::id).doesNotHaveDuplicates().hasSize(64);
    assertThat(worker.asked(SessionOperation.Locate.class)).hasSize(1);
  }

  @Test
  void namedForks_areNumbered() {
    worker.on(SessionOperation.Fork.class, ScriptedSessions.DONE);
    assertThat(session.at(3).forks(3, ForkOptions.defaults().id("try")))
        .extracting(Session::id)
        .containsExactly("try-1", "try-2", "try-3");
  }

  @Test
  void forksOfWhichOneFails_areEndedButForWhatWasThereBefore() {
    worker
        .result(SessionOperation.Fork.class, ForksTest::secondOfThreeExists)
        .on(SessionOperation.End.class, ScriptedSessions.DONE);
    assertThatThrownBy(() -> session.at(3).forks(3, ForkOptions.defaults().id("try")))
        .isInstanceOf(SessionExistsException.class)
        .hasMessageContaining("session try-2");
    assertThat(worker.asked())
        .filteredOn(request -> request.operation() instanceof SessionOperation.End)
        .extracting(SessionRequest::sessionId)
        .containsExactly("try-1", "try-3");
  }

  private static ExecutionResult secondOfThreeExists(SessionRequest request) {
    return "try-2".equals(request.sessionId())
        ? TestResults.rejected(request, ErrorCode.SESSION_EXISTS)
        : TestResults.answered(request, null);
  }

  @Test
  void forksWithoutAnAnswer_areWaitedForOnce() {
    assertThatThrownBy(() -> session.forks(3, 100)).isInstanceOf(NoAnswerException.class);
    assertThat(worker.asked(SessionOperation.Fork.class)).hasSize(100);
    assertThat(worker.asked(SessionOperation.End.class)).isEmpty();
  }

  @Test
  void forksOfWhichOneHasNoPossibleId_areEnded() {
    worker
        .on(SessionOperation.Fork.class, ScriptedSessions.DONE)
        .on(SessionOperation.End.class, ScriptedSessions.DONE);
    // With -10 behind it, it has 129 characters.
    ForkOptions options = ForkOptions.defaults().id("x".repeat(126));
    assertThatThrownBy(() -> session.at(3).forks(12, options))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("sessionId");
    assertThat(worker.asked(SessionOperation.End.class)).hasSize(9);
  }

  @Test
  void noForks_areRefused() {
    assertThatThrownBy(() -> session.forks(3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("count is 0");
  }
}
