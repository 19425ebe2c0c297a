package dev.stepwell.worker.delivery;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.Worker;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapBackend;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Topics, a publisher and the settings of workers for one test. */
abstract class DeliveryFixture {
  static final int PARTITIONS = 4;

  final Topics topics = new Topics("test-" + UUID.randomUUID().toString().substring(0, 8));
  private Publisher publisher;

  @BeforeEach
  void createTopics() throws Exception {
    assumeTrue(TestKafka.available(), "skipped: no Docker engine answers, so there is no broker");
    Availability bubblewrap = BubblewrapBackend.probe(BubblewrapSettings.defaults());
    assumeTrue(bubblewrap.usable(), "skipped: no bubblewrap: " + bubblewrap.reason());
    TestKafka.createTopics(topics, PARTITIONS);
    publisher = new Publisher(topics, PARTITIONS);
  }

  @AfterEach
  void closePublisher() {
    if (publisher != null) {
      publisher.close();
    }
  }

  Publisher publisher() {
    return publisher;
  }

  /** The settings of a worker of this test, with more or others. */
  Map<String, String> settings(String... namesAndValues) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", TestKafka.bootstrap());
    settings.put("topic.prefix", topics.prefix());
    settings.put("group.id", topics.prefix());
    settings.put("backend", "bubblewrap");
    settings.put("slots", "2");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      settings.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return settings;
  }

  Worker worker(String... namesAndValues) throws InterruptedException {
    Worker worker = Worker.start(WorkerConfig.of(settings(namesAndValues)));
    if (!worker.awaitReady(Duration.ofMinutes(1))) {
      worker.close();
      throw new IllegalStateException("the worker got no partitions");
    }
    return worker;
  }

  /** The partition that a producer picks for a key. */
  static int partition(String key) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % PARTITIONS;
  }
}
