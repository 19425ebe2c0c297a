package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.broker.BrokerProcess;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against a real broker; a responder stands in for the workers. */
@Timeout(120)
final class StepwellIT {
  private static final Path BROKER = Path.of("..", "broker", "target", "dist", "lib");
  private static final int PARTITIONS = 3;

  private static BrokerProcess broker;
  private static ScriptedResponder responder;

  @BeforeAll
  static void startBroker() throws IOException, ExecutionException, InterruptedException {
    broker = BrokerProcess.start(BROKER, 0, null, Duration.ofSeconds(60));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      List<String> names = Stream.concat(Topics.DEFAULT.all().stream(), Stream.of("mine")).toList();
      admin
          .createTopics(
              names.stream().map(name -> new NewTopic(name, PARTITIONS, (short) 1)).toList())
          .all()
          .get();
      awaitLeaders(admin, names);
    }
    responder = new ScriptedResponder(broker.bootstrap(), Topics.DEFAULT, PARTITIONS);
  }

  /** What is sent before they know of their partitions may be lost (KAFKA-15591). */
  private static void awaitLeaders(Admin admin, List<String> topics) {
    Map<TopicPartition, OffsetSpec> each =
        topics.stream()
            .flatMap(
                topic ->
                    IntStream.range(0, PARTITIONS)
                        .mapToObj(partition -> new TopicPartition(topic, partition)))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    Awaitility.await("the leaders of new topics")
        .ignoreExceptions()
        .until(() -> admin.listOffsets(each).all().get().size() == each.size());
  }

  @AfterAll
  static void stopBroker() throws InterruptedException {
    responder.stop();
    broker.close();
  }

  @Test
  void quickstart_runsAsTheReadmeShowsIt() {
    List<String> printed = new ArrayList<>();
    Quickstart.run(broker.bootstrap(), printed::add);
    assertThat(printed).containsExactly("print(x + 1)");
  }

  @Test
  void manyRequestsAtOnce_areAllAnswered() {
    try (Stepwell client = Stepwell.connect(broker.bootstrap())) {
      List<Execution> executions = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        Step step = Step.python("" + i);
        executions.add(i % 2 == 0 ? client.submit(step) : client.session("s" + i % 7).submit(step));
      }
      for (int i = 0; i < executions.size(); i++) {
        assertThat(executions.get(i).await().stdout()).isEqualTo("" + i);
      }
    }
  }

  @Test
  void firstRequestOfAFreshClient_isAnswered() {
    for (int i = 0; i < 5; i++) {
      try (Stepwell client = Stepwell.connect(broker.bootstrap())) {
        assertThat(client.run("first").outcome()).isEqualTo(Outcome.COMPLETED);
      }
    }
  }

  @Test
  void resultOfAnAbortedTransaction_isNeverSeen() {
    try (Stepwell client = Stepwell.connect(broker.bootstrap())) {
      assertThat(client.run(ScriptedResponder.ABORT_ONCE).stdout())
          .isEqualTo(ScriptedResponder.ABORT_ONCE);
    }
  }

  @Test
  void cancelledStep_isAnsweredAsCancelled() {
    try (Stepwell client = Stepwell.connect(broker.bootstrap())) {
      Execution execution =
          client.newSession().submit(Step.python(ScriptedResponder.WAIT_FOR_CANCEL));
      execution.cancel();
      ExecutionResult result = execution.await();
      assertThat(result.outcome()).isEqualTo(Outcome.CANCELLED);
    }
  }

  @Test
  void forksAndFilesOfASession_areAnsweredThroughABroker() {
    try (Stepwell client = Stepwell.connect(broker.bootstrap())) {
      SessionView view = client.session("source").at(1);
      assertThat(view.forks(64)).extracting(Session::id).doesNotHaveDuplicates().hasSize(64);
      assertThat(view.run("seen").stdout()).isEqualTo("seen");
      assertThat(view.files().get("out/a")).asString().isEqualTo("out/a");
      SessionFiles files = client.session("source").files();
      files.put("in/a", new byte[1 << 20]);
      assertThat(files.get("out/b")).asString().isEqualTo("out/b");
    }
  }

  @Test
  void replyTopicOfOnesOwn_isRead() {
    try (Stepwell client = Stepwell.builder(broker.bootstrap()).replyTopic("mine").connect()) {
      assertThat(client.run("to mine").stdout()).isEqualTo("to mine");
    }
  }

  @Test
  void requestThatTheBrokerFindsTooLarge_isNamedSo() {
    try (Stepwell client = Stepwell.connect(broker.bootstrap())) {
      // The topics here have the broker's limit; the client's own is what is set too high.
      assertThat(client.run("#" + "x".repeat(2 << 20)).outcome()).isEqualTo(Outcome.COMPLETED);
      assertThatThrownBy(() -> client.run("#" + "x".repeat(9 << 20)))
          .isInstanceOf(MessageTooLargeException.class)
          .hasMessageContaining(String.valueOf(8 << 20));
    }
  }

  @Test
  void missingTopics_areNamed() {
    assertThatThrownBy(() -> Stepwell.builder(broker.bootstrap()).topicPrefix("nowhere").connect())
        .isInstanceOf(TopicMissingException.class)
        .hasMessageContaining("nowhere.requests");
  }

  @Test
  void brokerThatIsNotThere_isNamedWithinTheTimeout() throws IOException {
    String address;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = "127.0.0.1:" + unused.getLocalPort();
    }
    StepwellBuilder builder = Stepwell.builder(address).connectTimeout(Duration.ofMillis(1500));
    assertThatThrownBy(builder::connect)
        .isInstanceOf(BrokerUnreachableException.class)
        .hasMessageContaining(address)
        .hasMessageContaining("1500 ms");
  }

  @Test
  void addressThatIsNone_isRefusedAtOnce() {
    assertThatThrownBy(() -> Stepwell.connect("no address"))
        .isInstanceOf(BrokerUnreachableException.class)
        .hasMessageContaining("no address");
  }

  @Test
  void closedClient_leavesNoThread() {
    Stepwell.connect(broker.bootstrap()).close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(
            name -> name.startsWith("stepwell-client") || name.contains("| stepwell-client"));
  }
}
