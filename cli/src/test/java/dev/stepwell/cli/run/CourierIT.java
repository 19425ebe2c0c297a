package dev.stepwell.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.broker.BrokerProcess;
import dev.stepwell.cli.local.TopicCreation;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a real broker, and a reader and writer that stands for the workers. */
@Timeout(180)
final class CourierIT {
  private static final int PARTITIONS = 3;

  @TempDir private Path data;
  private final RunId run = RunId.random('r');
  private final List<String> notices = new CopyOnWriteArrayList<>();
  private BrokerProcess broker;

  @BeforeEach
  void start() throws IOException {
    broker = startBroker(0);
    new TopicCreation(Topics.DEFAULT, PARTITIONS, (short) 1).create(broker.bootstrap());
  }

  private BrokerProcess startBroker(int port) throws IOException {
    String home = System.getProperty("stepwell.home", "..");
    return BrokerProcess.start(
        Path.of(home, "broker", "target", "dist", "lib"),
        port,
        data.resolve("broker"),
        Duration.ofMinutes(1));
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private KafkaCourier open(@Nullable Checkpoint from, Predicate<String> finished) {
    return KafkaCourier.open(
        broker.bootstrap(),
        Map.of(),
        Topics.DEFAULT,
        run,
        from,
        100,
        1 << 20,
        finished,
        notices::add);
  }

  private EchoWorker worker(Predicate<String> answered) {
    return new EchoWorker(broker.bootstrap(), PARTITIONS, answered, id -> id.endsWith(".garbled"));
  }

  private Request request(String name, @Nullable String session) {
    return new ExecutionRequest(
        run.of(name),
        session == null ? null : run.of(session),
        StepKind.PYTHON,
        "pass",
        List.of(),
        null,
        null,
        RequestLimits.DEFAULTS,
        Map.of(),
        null,
        null);
  }

  private static String stdout(CompletableFuture<Answer> answer) {
    return answer.join().result().stdout();
  }

  @Test
  void answers_comeToTheirRequests() throws InterruptedException {
    try (EchoWorker worker = worker(id -> true);
        KafkaCourier courier = open(null, id -> false)) {
      Map<String, CompletableFuture<Answer>> answers = new HashMap<>();
      for (int i = 0; i < 1000; i++) {
        Request request = request("q" + i, i % 3 == 0 ? null : "s" + i % 7);
        answers.put(request.requestId(), courier.send(request));
      }
      answers.forEach((id, answer) -> assertThat(stdout(answer)).isEqualTo("echo of " + id));
      answers.keySet().forEach(courier::finish);
      assertThat(worker.seen().values()).hasSize(1000).containsOnly(1);
      assertThat(courier.checkpoint().requests().stream().mapToLong(n -> n).sum()).isEqualTo(1000);
      answers.values().forEach(each -> assertThat(each.join().publishedAtMs()).isPositive());
    }
  }

  @Test
  void runThatGoesOn_publishesNothingTwiceAndFindsWhatWasAnsweredMeanwhile()
      throws InterruptedException {
    Predicate<String> even = id -> id.charAt(id.length() - 1) % 2 == 0;
    try (EchoWorker worker = worker(even)) {
      Checkpoint checkpoint;
      try (KafkaCourier courier = open(null, id -> false)) {
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          sent.add(courier.send(request("q" + i, null)));
        }
        courier.sendAgain(request("q0", null), 1);
        for (int i = 0; i < 30; i += 2) {
          sent.get(i).join();
          courier.finish(run.of("q" + i));
        }
        checkpoint = courier.checkpoint();
      }
      // The last of what was sent before may still be on its way to the broker's end.
      Awaitility.await().until(() -> worker.seen().size() == 60);
      worker.answer(id -> even.test(id) || id.endsWith("5"));
      try (KafkaCourier courier = open(checkpoint, id -> even.test(id) && number(id) < 30)) {
        Map<Integer, CompletableFuture<Answer>> sent = new HashMap<>();
        courier.sendAgain(request("q0", null), 1);
        for (int i = 0; i < 80; i++) {
          if (i >= 30 || i % 2 == 1) {
            sent.put(i, courier.send(request("q" + i, null)));
          }
        }
        worker.answer(id -> true);
        sent.forEach((i, answer) -> assertThat(stdout(answer)).endsWith(".q" + i));
        sent.keySet().forEach(i -> courier.finish(run.of("q" + i)));
        assertThat(courier.checkpoint().requests().stream().mapToLong(n -> n).sum()).isEqualTo(81);
      }
      Map<String, Integer> seen = new HashMap<>(worker.seen());
      assertThat(seen.remove(run.of("q0"))).isEqualTo(2);
      assertThat(seen.values()).hasSize(79).containsOnly(1);
    }
  }

  private static int number(String id) {
    return Integer.parseInt(id.substring(id.lastIndexOf('q') + 1));
  }

  @Test
  void unreadableAnswer_failsItsRequestAlone() throws InterruptedException {
    try (EchoWorker worker = worker(id -> true);
        KafkaCourier courier = open(null, id -> false)) {
      CompletableFuture<Answer> garbled = courier.send(request("x.garbled", null));
      assertThatThrownBy(garbled::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              CourierException.class,
              e -> assertThat(e.kind()).isEqualTo(CourierException.Kind.UNREADABLE));
      assertThat(stdout(courier.send(request("good", null)))).endsWith(".good");
      assertThat(worker.seen()).hasSize(2);
    }
  }

  @Test
  void closedCourier_leavesNobodyWaiting() throws InterruptedException {
    KafkaCourier courier = open(null, id -> false);
    CompletableFuture<Answer> never = courier.send(request("never", null));
    courier.close();
    assertThatThrownBy(never::join).hasMessageContaining("closed");
    assertThatThrownBy(() -> courier.send(request("late", null)))
        .isInstanceOf(CourierException.class);
  }

  @Test
  void brokerThatGoesAway_isWaitedFor() throws InterruptedException, IOException {
    int port = Integer.parseInt(broker.bootstrap().replaceAll(".*:", ""));
    try (KafkaCourier courier = open(null, id -> false)) {
      EchoWorker before = worker(id -> true);
      assertThat(stdout(courier.send(request("before", null)))).endsWith(".before");
      before.close();
      broker.close();
      // To send may block, now that no broker says where to.
      CompletableFuture<Answer> away =
          CompletableFuture.supplyAsync(() -> answer(courier, request("away", null)));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> notices.stream().anyMatch(each -> each.contains("no Kafka answers at")));
      broker = startBroker(port);
      try (EchoWorker after = worker(id -> !id.endsWith("before"))) {
        assertThat(stdout(away)).endsWith(".away");
        assertThat(after.seen().get(run.of("away"))).isEqualTo(1);
      }
      Awaitility.await().until(() -> notices.size() == 2);
      assertThat(notices.get(1)).contains("answers again after");
    }
  }

  private static Answer answer(Courier courier, Request request) {
    try {
      return courier.send(request).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingToConnectTo_isSaid() {
    broker.close();
    assertThatThrownBy(() -> open(null, id -> false))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no Kafka answers at " + broker.bootstrap());
  }
}
