package dev.stepwell.worker.delivery;

import dev.stepwell.protocol.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** One broker in a container for all tests of a JVM; every test has topics of its own. */
final class TestKafka {
  /** What the largest record of a test needs, with room. */
  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  private static final String IMAGE =
      System.getenv().getOrDefault("STEPWELL_KAFKA_IMAGE", "apache/kafka:4.3.1");

  private static final KafkaContainer KAFKA =
      new KafkaContainer(DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("apache/kafka"))
          .withEnv("KAFKA_GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS", "1000")
          .withEnv("KAFKA_GROUP_CONSUMER_SESSION_TIMEOUT_MS", "3000")
          .withEnv("KAFKA_GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS", "200")
          .withEnv("KAFKA_GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS", "500")
          .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0")
          .withEnv("KAFKA_MESSAGE_MAX_BYTES", Integer.toString(MAX_MESSAGE_BYTES));

  private TestKafka() {}

  /**
   * Whether there is an engine to run it on; if not, the tests that need it say so and are skipped.
   */
  static boolean available() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  static synchronized String bootstrap() {
    if (!KAFKA.isRunning()) {
      KAFKA.start();
      Runtime.getRuntime().addShutdownHook(new Thread(KAFKA::stop));
    }
    return KAFKA.getBootstrapServers();
  }

  /** Freezes the broker, as a machine that hangs does. */
  static void freeze() {
    KAFKA.getDockerClient().pauseContainerCmd(KAFKA.getContainerId()).exec();
  }

  /** Lets the broker go on. */
  static void thaw() {
    KAFKA.getDockerClient().unpauseContainerCmd(KAFKA.getContainerId()).exec();
  }

  /** Whether the coordinator counts a worker as a member of its group. */
  static boolean member(String group, String workerId)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      return admin
          .describeConsumerGroups(List.of(group))
          .describedGroups()
          .get(group)
          .get()
          .members()
          .stream()
          .anyMatch(member -> member.clientId().equals(workerId + "-intake"));
    }
  }

  static void createTopics(Topics topics, int partitions)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      List<NewTopic> wanted = new ArrayList<>();
      for (String name : topics.all()) {
        wanted.add(
            new NewTopic(name, partitions, (short) 1)
                .configs(Map.of("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES))));
      }
      admin.createTopics(wanted).all().get();
    }
  }
}
