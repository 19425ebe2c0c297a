package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class StepwellTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final FakeTransport transport = new FakeTransport();

  @Test
  void sessionsStep_isSentUnderTheSessionsKey() throws InterruptedException {
    client().session("s").submit(Step.python("x = 1"));
    Transport.OutgoingMessage message = transport.next("stepwell.requests");
    assertThat(message.key()).isEqualTo("s");
    assertThat(transport.codec.decodeRequest(message.value()).sessionId()).isEqualTo("s");
  }

  @Test
  void oneShot_isSentUnderItsRequestId() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    Transport.OutgoingMessage message = transport.next("stepwell.requests");
    assertThat(message.key()).isEqualTo(execution.requestId());
    assertThat(execution.sessionId()).isNull();
  }

  @Test
  void newSessions_haveDifferentNames() {
    Stepwell client = client();
    assertThat(client.newSession().id()).isNotEqualTo(client.newSession().id());
  }

  @Test
  void run_givesTheAnswerToItsOwnRequest() throws InterruptedException {
    Stepwell client = client();
    CompletableFuture<ExecutionResult> answer =
        CompletableFuture.supplyAsync(() -> client.session("s").run("x"));
    ExecutionRequest request = transport.nextRequest();
    ExecutionRequest other = Step.python("x").request("another", "s", null);
    transport.reply(TestResults.completed(other, "wrong"));
    transport.reply(TestResults.completed(request, "right"));
    assertThat(answer.join().stdout()).isEqualTo("right");
  }

  @Test
  void answersInAnyOrder_findTheirRequests() throws InterruptedException {
    Stepwell client = client();
    List<Execution> executions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      executions.add(client.session("s").submit(Step.python("" + i)));
    }
    List<ExecutionRequest> requests =
        List.of(transport.nextRequest(), transport.nextRequest(), transport.nextRequest());
    for (int i = 2; i >= 0; i--) {
      transport.reply(TestResults.completed(requests.get(i), "" + i));
    }
    assertThat(executions).extracting(e -> e.await().stdout()).containsExactly("0", "1", "2");
  }

  @Test
  void secondAnswerToARequest_isIgnored() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    ExecutionRequest request = transport.nextRequest();
    transport.reply(TestResults.completed(request, "first"));
    transport.reply(TestResults.completed(request, "second"));
    assertThat(execution.await().stdout()).isEqualTo("first");
  }

  @Test
  void unansweredRequest_mayBeAwaitedAgain() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    NoAnswerException none =
        catchThrowableOfType(NoAnswerException.class, () -> execution.await(SHORT));
    assertThat(none)
        .hasMessageContaining(execution.requestId())
        .hasMessageContaining("may still run");
    transport.reply(TestResults.completed(transport.nextRequest(), "late"));
    assertThat(none.execution().await().stdout()).isEqualTo("late");
  }

  @Test
  void interruptedCaller_keepsItsFlagAndTheRequest() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    Thread.currentThread().interrupt();
    assertThatThrownBy(execution::await)
        .isInstanceOf(NoAnswerException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    transport.reply(TestResults.completed(transport.nextRequest(), "late"));
    assertThat(execution.await().stdout()).isEqualTo("late");
  }

  @Test
  void placeOfAnAnsweredRequest_isFreeAgain() throws InterruptedException {
    Stepwell client = client(options().maxInFlight(1));
    for (int i = 0; i < 3; i++) {
      Execution execution = client.submit(Step.python("1"));
      transport.reply(TestResults.completed(transport.nextRequest(), "" + i));
      assertThat(execution.await().stdout()).isEqualTo("" + i);
    }
  }

  @Test
  void requestBeyondTheLimit_isRefusedAndNotSent() {
    Stepwell client = client(options().maxInFlight(2).submitTimeout(SHORT));
    client.submit(Step.python("1"));
    client.submit(Step.python("2"));
    assertThatThrownBy(() -> client.submit(Step.python("3")))
        .isInstanceOf(TooManyInFlightException.class)
        .hasMessageContaining("2 requests");
    assertThat(transport.drain()).hasSize(2);
  }

  @Test
  void requestBeyondTheLimit_waitsForAPlace() throws InterruptedException {
    Stepwell client = client(options().maxInFlight(1));
    client.submit(Step.python("1"));
    CompletableFuture<Execution> second =
        CompletableFuture.supplyAsync(() -> client.submit(Step.python("2")));
    transport.reply(TestResults.completed(transport.nextRequest(), ""));
    assertThat(transport.nextRequest().source()).isEqualTo("2");
    assertThat(second.join().future()).isNotDone();
  }

  @Test
  void abandonedRequest_givesItsPlaceAway() {
    Stepwell client = client(options().maxInFlight(1).submitTimeout(SHORT));
    Execution execution = client.submit(Step.python("1"));
    execution.abandon();
    assertThatThrownBy(execution::await)
        .isInstanceOf(NoAnswerException.class)
        .hasMessageContaining("abandoned");
    client.submit(Step.python("2"));
    assertThat(transport.drain()).hasSize(2);
  }

  @Test
  void requestThatIsTooLarge_isRefusedWithSizeAndLimit() {
    Stepwell client = client(options().maxRequestBytes(1000));
    MessageTooLargeException refusal =
        catchThrowableOfType(
            MessageTooLargeException.class, () -> client.run("#" + "x".repeat(1000)));
    assertThat(refusal.bytes()).isGreaterThan(1000);
    assertThat(refusal.limitBytes()).isEqualTo(1000);
    assertThat(transport.sent).isEmpty();
  }

  @Test
  void unacceptableStep_isRefusedAndTakesNoPlace() {
    Stepwell client = client(options().maxInFlight(1).submitTimeout(SHORT));
    assertThatThrownBy(() -> client.run(" ")).isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> client.session("a b").run("1"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("sessionId");
    client.submit(Step.python("1"));
    assertThat(transport.sent).hasSize(1);
  }

  @Test
  void requestThatCantBeSent_failsAndGivesItsPlaceAway() {
    Stepwell client = client(options().maxInFlight(1).submitTimeout(SHORT));
    transport.failure = new BrokerUnreachableException("gone", null);
    assertThatThrownBy(() -> client.run("1"))
        .isInstanceOf(BrokerUnreachableException.class)
        .hasMessage("gone");
    transport.failure = null;
    client.submit(Step.python("2"));
    assertThat(transport.sent).hasSize(1);
  }

  @Test
  void cancel_isSentUnderTheRequestsKeyAndItsAnswerAwaited() throws InterruptedException {
    Execution execution = client().session("s").submit(Step.python("1"));
    ExecutionRequest request = transport.nextRequest();
    execution.cancel();
    Transport.OutgoingMessage cancel = transport.next("stepwell.control");
    assertThat(cancel.key()).isEqualTo("s");
    assertThat(transport.codec.decodeCancel(cancel.value()).requestId())
        .isEqualTo(execution.requestId());
    assertThat(execution.future()).isNotDone();
    transport.reply(TestResults.completed(request, "was faster"));
    assertThat(execution.await().stdout()).isEqualTo("was faster");
  }

  @Test
  void cancelOfAnAnsweredRequest_isNotSent() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    transport.reply(TestResults.completed(transport.nextRequest(), ""));
    execution.cancel();
    assertThat(transport.sent).isEmpty();
  }

  @Test
  void future_isTheCallersOwn() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    assertThat(execution.future().cancel(true)).isTrue();
    transport.reply(TestResults.completed(transport.nextRequest(), "here"));
    assertThat(execution.await().stdout()).isEqualTo("here");
  }

  @Test
  void resultOfAnotherVersion_failsItsRequest() throws InterruptedException {
    Execution execution = client().submit(Step.python("1"));
    String requestId = transport.nextRequest().requestId();
    String message = "{\"version\":2,\"requestId\":\"" + requestId + "\"}";
    transport.reply(requestId, message.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(execution::await)
        .isInstanceOf(UnreadableResultException.class)
        .hasMessageContaining("version is 2");
  }

  @Test
  void closing_failsWhatIsUnansweredAndWhatComesLater() {
    Stepwell client = client();
    Execution execution = client.submit(Step.python("1"));
    client.close();
    assertThat(transport.closed).isTrue();
    assertThatThrownBy(execution::await)
        .isInstanceOf(ClientClosedException.class)
        .hasMessageContaining(execution.requestId());
    assertThatThrownBy(() -> client.submit(Step.python("2")))
        .isInstanceOf(ClientClosedException.class);
    client.close();
  }

  @Test
  void lostConnection_failsWhatIsUnansweredAndWhatComesLater() {
    Stepwell client = client();
    Execution execution = client.submit(Step.python("1"));
    transport.listener().broken(new BrokerUnreachableException("reader died", null));
    assertThatThrownBy(execution::await).hasMessage("reader died");
    assertThatThrownBy(() -> client.run("2")).hasMessage("reader died");
  }

  @Test
  void clientThatCantConnect_closesWhatItOpened() {
    transport.openFailure = new BrokerUnreachableException("no route", null);
    assertThatThrownBy(this::client).hasMessage("no route");
    assertThat(transport.closed).isTrue();
  }

  private Stepwell client() {
    return client(options());
  }

  private Stepwell client(StepwellBuilder builder) {
    return new Stepwell(builder.options(), transport).open();
  }

  private static StepwellBuilder options() {
    return Stepwell.builder("fake:0");
  }
}
