package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class SessionTest {
  private final FakeTransport transport = new FakeTransport();
  private final ScriptedSessions worker = new ScriptedSessions(transport);
  private final Session session =
      new Stepwell(Stepwell.builder("fake:0").options(), transport).open().session("s");

  @Test
  void fork_asksTheSourceForAReferenceAndMakesANewSessionOfIt() {
    worker
        .on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("ref", 3))
        .on(SessionOperation.Fork.class, ScriptedSessions.DONE);
    Session fork = session.fork(3);
    assertThat(worker.asked())
        .extracting(SessionRequest::sessionId, SessionRequest::operation)
        .containsExactly(
            tuple("s", new SessionOperation.Locate(3L)),
            tuple(fork.id(), new SessionOperation.Fork("ref", false)));
    assertThat(fork.id()).isNotEqualTo("s");
    assertThat(transport.drain())
        .extracting(Transport.OutgoingMessage::key)
        .containsExactly("s", fork.id());
  }

  @Test
  void forkWithoutAStep_isOfTheNewestState() {
    worker
        .on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("ref", 3))
        .on(SessionOperation.Fork.class, ScriptedSessions.DONE);
    session.fork();
    assertThat(worker.asked(SessionOperation.Locate.class))
        .containsExactly(new SessionOperation.Locate(null));
  }

  @Test
  void forkOptions_nameTheForkAndReseedIt() {
    worker
        .on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("ref", 3))
        .on(SessionOperation.Fork.class, ScriptedSessions.DONE);
    ForkOptions options = ForkOptions.defaults().id("twin").reseed();
    assertThat(session.fork(3, options).id()).isEqualTo("twin");
    assertThat(worker.asked(SessionOperation.Fork.class))
        .containsExactly(new SessionOperation.Fork("ref", true));
  }

  @Test
  void forkOfATakenId_isNamedSo() {
    worker
        .on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("ref", 3))
        .reject(SessionOperation.Fork.class, ErrorCode.SESSION_EXISTS);
    assertThatThrownBy(() -> session.fork(3, ForkOptions.defaults().id("taken")))
        .isInstanceOf(SessionExistsException.class)
        .hasMessageContaining("session taken")
        .hasMessageContaining("SESSION_EXISTS");
    assertThat(worker.asked(SessionOperation.End.class)).isEmpty();
  }

  @Test
  void viewOfAStep_runsOneShotsOnItsState() throws InterruptedException {
    worker.on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("ref", 2));
    SessionView view = session.at(3);
    assertThat(view.step()).isEqualTo(2);
    transport.drain();
    Execution execution = view.submit(Step.python("x"));
    ExecutionRequest request = transport.nextRequest();
    assertThat(request.base()).isEqualTo("ref");
    assertThat(request.sessionId()).isNull();
    transport.reply(TestResults.completed(request, "seen"));
    assertThat(execution.await().stdout()).isEqualTo("seen");
  }

  @Test
  void stepThatIsNotRetained_isNamedSo() {
    worker.reject(SessionOperation.Locate.class, ErrorCode.STEP_UNKNOWN);
    assertThatThrownBy(() -> session.at(3)).isInstanceOf(StateUnavailableException.class);
  }

  @Test
  void stepBeforeTheFirst_isRefusedAndNotSent() {
    assertThatThrownBy(() -> session.at(0))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("operation.step is 0");
    assertThat(transport.drain()).isEmpty();
  }

  @Test
  void history_isReadToItsEnd() {
    worker.on(SessionOperation.History.class, SessionTest::page);
    assertThat(session.history())
        .extracting(HistoryEntry::step)
        .containsExactlyElementsOf(LongStream.rangeClosed(-5, -1).mapToObj(n -> -n).toList());
    assertThat(worker.asked(SessionOperation.History.class))
        .extracting(SessionOperation.History::beforeStep)
        .containsExactly(null, 4L, 2L);
  }

  /** Two steps of the five that there are, below the one that is asked for. */
  private static SessionAnswer page(SessionRequest request) {
    Long before = ((SessionOperation.History) request.operation()).beforeStep();
    long newest = before == null ? 5 : before - 1;
    List<HistoryEntry> entries =
        LongStream.of(newest, newest - 1)
            .filter(step -> step > 0)
            .mapToObj(step -> new HistoryEntry(step, null, "r", Outcome.FAILED, 0, 0, false))
            .toList();
    return new SessionAnswer.History(entries, newest > 2);
  }

  @Test
  void historyThatNeverEnds_isGivenUp() {
    worker.on(
        SessionOperation.History.class, request -> new SessionAnswer.History(List.of(), true));
    assertThatThrownBy(session::history).isInstanceOf(UnreadableResultException.class);
  }

  @Test
  void resetAndEnd_areSentUnderTheSessionsKey() {
    worker
        .on(SessionOperation.Reset.class, ScriptedSessions.DONE)
        .on(SessionOperation.End.class, ScriptedSessions.DONE);
    session.reset();
    session.end();
    assertThat(worker.asked())
        .extracting(SessionRequest::operation)
        .containsExactly(new SessionOperation.Reset(), new SessionOperation.End());
    assertThat(transport.drain())
        .extracting(Transport.OutgoingMessage::key)
        .containsExactly("s", "s");
  }

  @Test
  void operationOnASessionThatIsNot_isNamedSo() {
    worker.reject(SessionOperation.End.class, ErrorCode.SESSION_UNKNOWN);
    assertThatThrownBy(session::end).isInstanceOf(SessionUnknownException.class);
  }

  @Test
  void answerToAnotherQuestion_isUnreadable() {
    worker.on(
        SessionOperation.Locate.class, request -> new SessionAnswer.History(List.of(), false));
    assertThatThrownBy(session::latest)
        .isInstanceOf(UnreadableResultException.class)
        .hasMessageContaining("History")
        .hasMessageContaining("Located");
  }

  @Test
  void questionWithoutAnAnswer_isUnreadable() {
    worker.on(SessionOperation.Locate.class, ScriptedSessions.DONE);
    assertThatThrownBy(session::latest)
        .isInstanceOf(UnreadableResultException.class)
        .hasMessageContaining("nothing");
  }
}
