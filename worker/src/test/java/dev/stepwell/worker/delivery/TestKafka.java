package dev.stepwell.worker.delivery;

import dev.stepwell.protocol.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** One broker in a container for all tests of a JVM; every test has topics of its own. */
public final class TestKafka {
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
  public static boolean available() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  public static synchronized String bootstrap() {
    if (!KAFKA.isRunning()) {
      KAFKA.start();
      Runtime.getRuntime().addShutdownHook(new Thread(KAFKA::stop));
    }
    return KAFKA.getBootstrapServers();
  }

  /** Freezes the broker, as a machine that hangs does. */
  public static void freeze() {
    KAFKA.getDockerClient().pauseContainerCmd(KAFKA.getContainerId()).exec();
  }

  /** Lets the broker go on. */
  public static void thaw() {
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

  /** Whether the broker takes a producer's word that its transaction is open. */
  static void trustProducers(boolean trust) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      ConfigResource everyBroker = new ConfigResource(ConfigResource.Type.BROKER, "");
      ConfigEntry entry =
          new ConfigEntry("transaction.partition.verification.enable", Boolean.toString(!trust));
      AlterConfigOp set = new AlterConfigOp(entry, AlterConfigOp.OpType.SET);
      admin.incrementalAlterConfigs(Map.of(everyBroker, List.of(set))).all().get();
    }
  }

  /** Sets how long a topic keeps its records. */
  static void keepFor(String topic, Duration retention)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      ConfigEntry entry = new ConfigEntry("retention.ms", Long.toString(retention.toMillis()));
      AlterConfigOp set = new AlterConfigOp(entry, AlterConfigOp.OpType.SET);
      admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
    }
  }

  public static void createTopics(Topics topics, int partitions)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      List<NewTopic> wanted = new ArrayList<>();
      for (String name : topics.all()) {
        wanted.add(
            new NewTopic(name, partitions, (short) 1)
                .configs(Map.of("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES))));
      }
      admin.createTopics(wanted).all().get();
      awaitLeaders(admin, topics, partitions);
    }
  }

  /** What is sent sooner may be lost: KAFKA-15591. */
  private static void awaitLeaders(Admin admin, Topics topics, int partitions) {
    Map<TopicPartition, OffsetSpec> each = new HashMap<>();
    for (String name : topics.all()) {
      for (int partition = 0; partition < partitions; partition++) {
        each.put(new TopicPartition(name, partition), OffsetSpec.latest());
      }
    }
    Awaitility.await("the leaders of new topics")
        .ignoreExceptions()
        .until(() -> admin.listOffsets(each).all().get().size() == each.size());
  }
}
