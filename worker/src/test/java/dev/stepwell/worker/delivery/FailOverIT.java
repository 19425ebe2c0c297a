package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.DeadLetter;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that are killed, frozen, and killed again. */
@Timeout(300)
class FailOverIT extends DeliveryFixture {
  @Test
  void killedWorkersStep_runsAgainElsewhereFromTheSameState() throws Exception {
    String session = UUID.randomUUID().toString();
    Marked marked = new Marked();
    ExecutionRequest counting =
        Publisher.python(
            session,
            "import subprocess\nsubprocess.run(['sh', '-c', '''"
                + marked.sleepFor("5")
                + "'''])\nx += 1\nx");
    try (WorkerJvm doomed =
        WorkerJvm.start(settings("worker.id", "doomed", "slots", "1")).awaitReady()) {
      publisher().run(Publisher.python(session, "x = 41"));
      publisher().publish(counting);
      marked.awaitRunning();
      doomed.kill();
    }
    marked.awaitGone();
    try (WorkerJvm next = WorkerJvm.start(settings("worker.id", "next")).awaitReady()) {
      assertThat(next.pid()).isPositive();
      ExecutionResult result = publisher().await(counting.requestId());
      assertThat(result.outcome()).isEqualTo(Outcome.COMPLETED);
      assertThat(result.value().text()).isEqualTo("42");
      assertThat(result.workerId()).isEqualTo("next");
      assertThat(result.attempt()).isEqualTo(2);
    }
    assertThat(publisher().all(counting.requestId())).hasSize(1);
  }

  @Test
  void requestThatWorkersDieOn_isGivenUpAndDeadLettered() throws Exception {
    Marked marked = new Marked();
    ExecutionRequest deadly = Publisher.shell(UUID.randomUUID().toString(), marked.sleepFor("20"));
    publisher().publish(deadly);
    for (int life = 0; life < 2; life++) {
      try (WorkerJvm worker =
          WorkerJvm.start(settings("attempts.max", "2", "slots", "1")).awaitReady()) {
        marked.awaitRunning();
        worker.kill();
      }
      marked.awaitGone();
    }
    try (WorkerJvm last = WorkerJvm.start(settings("attempts.max", "2")).awaitReady()) {
      assertThat(last.pid()).isPositive();
      ExecutionResult result = publisher().await(deadly.requestId());
      assertThat(result.outcome()).isEqualTo(Outcome.INFRASTRUCTURE);
      assertThat(result.error().code()).isEqualTo(ErrorCode.ATTEMPTS_EXHAUSTED);
      assertThat(result.error().retrySafe()).isFalse();
      assertThat(result.attempt()).isEqualTo(3);
      ConsumerRecord<byte[], byte[]> letter = publisher().awaitDeadLetter();
      assertThat(
              new String(
                  letter.headers().lastHeader(DeadLetter.CODE).value(), StandardCharsets.UTF_8))
          .isEqualTo("ATTEMPTS_EXHAUSTED");
    }
  }

  @Test
  void frozenWorker_comesBackToFindItsWorkDoneAndAnswersNothingTwice() throws Exception {
    List<String> ids = new ArrayList<>();
    String session = UUID.randomUUID().toString();
    Marked marked = new Marked();
    try (WorkerJvm frozen =
        WorkerJvm.start(settings("worker.id", "frozen", "slots", "1")).awaitReady()) {
      ids.add(publisher().publish(Publisher.shell(session, marked.sleepFor("1"))));
      marked.awaitRunning();
      frozen.signal("STOP");
      try (WorkerJvm next = WorkerJvm.start(settings("worker.id", "next")).awaitReady()) {
        assertThat(next.pid()).isPositive();
        for (int i = 0; i < 5; i++) {
          ids.add(
              publisher().publish(Publisher.python(session, "n = globals().get('n', 0) + 1\nn")));
        }
        assertThat(publisher().await(ids.get(5)).value().text()).isEqualTo("5");
        frozen.signal("CONT");
        ids.add(publisher().publish(Publisher.python(session, "n += 1\nn")));
        assertThat(publisher().await(ids.get(6)).value().text()).isEqualTo("6");
      }
      // The thawed worker is alone by now, and serves the session as the other left it.
      ids.add(publisher().publish(Publisher.python(session, "n += 1\nn")));
      ExecutionResult last = publisher().await(ids.get(7));
      assertThat(last.value().text()).isEqualTo("7");
      assertThat(last.workerId()).isEqualTo("frozen");
    }
    for (String id : ids) {
      assertThat(publisher().all(id)).hasSize(1);
    }
  }

  @Test
  void brokerThatHangs_leavesNoCommitInDoubtAndNoRequestUnanswered() throws Exception {
    String session = UUID.randomUUID().toString();
    List<String> ids = new ArrayList<>();
    // Commits give up after two thirds of this, well within the time that the broker hangs.
    try (WorkerJvm worker =
        WorkerJvm.start(settings("transaction.timeout", "6s", "attempts.max", "20")).awaitReady()) {
      for (int i = 0; i < 40; i++) {
        ids.add(publisher().publish(Publisher.python(session, "n = globals().get('n', 0) + 1\nn")));
      }
      publisher().await(ids.get(5));
      TestKafka.freeze();
      try {
        Waiting.until("a commit fails", () -> worker.said("a commit failed"));
      } finally {
        TestKafka.thaw();
      }
      for (int i = 0; i < ids.size(); i++) {
        assertThat(publisher().await(ids.get(i)).value().text()).isEqualTo("" + (i + 1));
      }
    }
    assertThat(ids).allSatisfy(id -> assertThat(publisher().all(id)).hasSize(1));
  }

  /**
   * Three workers, one of which is killed or frozen every few seconds and replaced: every session
   * counts from 1 without a gap or a repetition, as if nothing had happened.
   */
  @Test
  void sessionsCountOn_whileWorkersAreKilledAndFrozen() throws Exception {
    long seed = 20;
    Random random = new Random(seed);
    Map<String, List<String>> published = new HashMap<>();
    Map<String, WorkerJvm> workers = new HashMap<>();
    for (String id : List.of("a", "b", "c")) {
      start(workers, id);
    }
    try {
      int count = 0;
      for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 25; i++) {
          String session = topics.prefix() + "-" + random.nextInt(15);
          ExecutionRequest request = Publisher.python(session, "n = globals().get('n', 0) + 1\nn");
          published.computeIfAbsent(session, any -> new ArrayList<>()).add(request.requestId());
          publisher().publish(request);
          count++;
        }
        int answeredBefore = publisher().answered();
        await(answeredBefore + 5, count);
        disturb(workers, random, round);
      }
      for (Map.Entry<String, List<String>> session : published.entrySet()) {
        List<String> ids = session.getValue();
        for (int i = 0; i < ids.size(); i++) {
          ExecutionResult result = publisher().await(ids.get(i));
          assertThat(result.outcome()).as("seed %d: %s", seed, result).isEqualTo(Outcome.COMPLETED);
          assertThat(result.value().text()).as("seed %d", seed).isEqualTo("" + (i + 1));
        }
      }
    } finally {
      for (WorkerJvm worker : workers.values()) {
        worker.signal("CONT");
        worker.close();
      }
    }
    published.values().stream()
        .flatMap(List::stream)
        .forEach(id -> assertThat(publisher().all(id)).as("seed %d", seed).hasSize(1));
  }

  private void await(int answered, int atMost) {
    Waiting.until("the workers go on", () -> publisher().answered() >= Math.min(answered, atMost));
  }

  private void disturb(Map<String, WorkerJvm> workers, Random random, int round) throws Exception {
    String chosen = workers.keySet().stream().sorted().toList().get(random.nextInt(workers.size()));
    WorkerJvm worker = workers.get(chosen);
    if (random.nextInt(3) == 0) {
      worker.signal("STOP");
      // Long enough that the others have taken over when it comes back.
      Waiting.until("it counts as dead", () -> !TestKafka.member(topics.prefix(), chosen));
      worker.signal("CONT");
    } else {
      worker.kill();
      worker.close();
      workers.remove(chosen);
      start(workers, "w" + round);
    }
  }

  private void start(Map<String, WorkerJvm> workers, String id) throws IOException {
    workers.put(id, WorkerJvm.start(settings("worker.id", id, "attempts.max", "20")));
  }
}
