package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.worker.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Order, isolation of sessions from each other, duplicates and cancels, with workers that live. */
@Timeout(240)
class DeliveryIT extends DeliveryFixture {
  private static final String COUNT = "n = globals().get('n', 0) + 1\nprint(n)";

  @Test
  void everyRequestOfEverySession_isAnsweredOnceAndInOrderAlsoWhenPublishedTwice()
      throws InterruptedException {
    Random random = new Random(5);
    Map<String, List<String>> published = new HashMap<>();
    try (Worker first = worker("worker.id", "first");
        Worker second = worker("worker.id", "second")) {
      assertThat(first.backendDescription()).contains("bubblewrap");
      assertThat(second.failure()).isNotDone();
      for (int i = 0; i < 120; i++) {
        String session = topics.prefix() + "-session-" + random.nextInt(12);
        ExecutionRequest request = Publisher.python(session, COUNT);
        published.computeIfAbsent(session, any -> new ArrayList<>()).add(request.requestId());
        publisher().publish(request);
        if (random.nextInt(5) == 0) {
          publisher().publish(request);
        }
      }
      Set<String> sandboxes = new HashSet<>();
      for (List<String> session : published.values()) {
        for (int i = 0; i < session.size(); i++) {
          ExecutionResult result = publisher().await(session.get(i));
          assertThat(result.outcome()).isEqualTo(Outcome.COMPLETED);
          assertThat(result.step()).isEqualTo(i + 1L);
          assertThat(result.stdout()).isEqualTo((i + 1) + "\n");
          assertThat(sandboxes.add(result.sandboxId())).isTrue();
        }
      }
    }
    for (List<String> session : published.values()) {
      for (String requestId : session) {
        assertThat(publisher().all(requestId)).hasSize(1);
      }
    }
  }

  @Test
  void sleepingStep_doesNotHoldUpOtherSessionsOfItsPartition() throws InterruptedException {
    try (Worker worker = worker()) {
      assertThat(worker.failure()).isNotDone();
      String sleepy = UUID.randomUUID().toString();
      ExecutionRequest sleeper = Publisher.python(sleepy, "import time\ntime.sleep(20)");
      publisher().publish(sleeper);

      for (int i = 0; i < 10; i++) {
        String quick = inPartitionOf(sleepy);
        assertThat(publisher().run(Publisher.python(quick, "1 + 1")).outcome())
            .isEqualTo(Outcome.COMPLETED);
      }

      assertThat(publisher().all(sleeper.requestId())).isEmpty();
      assertThat(publisher().await(sleeper.requestId()).outcome()).isEqualTo(Outcome.COMPLETED);
    }
  }

  @Test
  void cancel_endsWhatRunsAndAnswersWhatWaits() throws Exception {
    try (Worker worker = worker()) {
      assertThat(worker.failure()).isNotDone();
      String session = UUID.randomUUID().toString();
      ExecutionRequest running =
          Publisher.python(session, "print('begun', flush=True)\nwhile True: pass");
      ExecutionRequest waiting = Publisher.python(session, "print('never')");
      publisher().publish(running);
      publisher().publish(waiting);
      publisher().run(Publisher.python(null, "'by now the first one runs'"));

      publisher().cancel(waiting);
      publisher().cancel(running);

      assertThat(publisher().await(running.requestId()).outcome()).isEqualTo(Outcome.CANCELLED);
      ExecutionResult never = publisher().await(waiting.requestId());
      assertThat(never.outcome()).isEqualTo(Outcome.CANCELLED);
      assertThat(never.error().code()).isEqualTo(ErrorCode.CANCELLED);
      assertThat(never.error().retrySafe()).isTrue();
      assertThat(never.stdout()).isEmpty();
      assertThat(publisher().run(Publisher.python(session, "'alive'")).outcome())
          .isEqualTo(Outcome.COMPLETED);
    }
  }

  @Test
  void stepThatLeavesWithoutSaving_isToldToHaveLostWhatItChanged() throws Exception {
    try (Worker worker = worker()) {
      assertThat(worker.failure()).isNotDone();
      String session = UUID.randomUUID().toString();
      publisher().run(Publisher.python(session, "x = 1"));

      ExecutionResult left =
          publisher().run(Publisher.python(session, "import os\nx = 2\nos._exit(3)"));

      assertThat(left.outcome()).isEqualTo(Outcome.EXITED);
      assertThat(left.exitCode()).isEqualTo(3);
      assertThat(left.state().saved()).isFalse();
      assertThat(left.state().lost())
          .singleElement()
          .satisfies(lost -> assertThat(lost.name()).isEqualTo("*"));
      assertThat(publisher().run(Publisher.python(session, "x")).value().text()).isEqualTo("1");
    }
  }

  @Test
  void stoppingWorker_givesBackWhatItCannotFinishWithoutCountingAnAttempt() throws Exception {
    ExecutionRequest slow =
        Publisher.python(UUID.randomUUID().toString(), "import time\ntime.sleep(4)\nprint('done')");
    Marked marked = new Marked();
    try (Worker leaving = worker("worker.id", "leaving", "shutdown.grace", "0")) {
      assertThat(leaving.failure()).isNotDone();
      publisher().publish(Publisher.shell(slow.sessionId(), marked.sleepFor("1")));
      publisher().publish(slow);
      marked.awaitRunning();
    }
    assertThat(marked.running()).isFalse();
    assertThat(publisher().all(slow.requestId())).isEmpty();
    try (Worker next = worker("worker.id", "next")) {
      assertThat(next.failure()).isNotDone();
      ExecutionResult result = publisher().await(slow.requestId());
      assertThat(result.workerId()).isEqualTo("next");
      assertThat(result.attempt()).isEqualTo(1);
      assertThat(result.stdout()).isEqualTo("done\n");
    }
  }

  @Test
  void stoppingWorker_finishesWhatRunsWithinItsGrace() throws Exception {
    Marked marked = new Marked();
    ExecutionRequest request = Publisher.shell(null, marked.sleepFor("2"));
    try (Worker leaving = worker("worker.id", "leaving", "shutdown.grace", "60s")) {
      assertThat(leaving.failure()).isNotDone();
      publisher().publish(request);
      marked.awaitRunning();
    }
    ExecutionResult result = publisher().await(request.requestId());
    assertThat(result.workerId()).isEqualTo("leaving");
    assertThat(result.outcome()).isEqualTo(Outcome.COMPLETED);
  }

  private static String inPartitionOf(String key) {
    while (true) {
      String candidate = UUID.randomUUID().toString();
      if (partition(candidate) == partition(key)) {
        return candidate;
      }
    }
  }
}
