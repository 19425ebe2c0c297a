package dev.stepwell.worker;

import static java.util.function.Predicate.isEqual;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.delivery.TestKafka;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

class TopicCheckIT {
  @Test
  void blobRetention_isTheTopics() throws Exception {
    assumeTrue(TestKafka.available(), "no engine to run Kafka on");
    WorkerConfig config =
        WorkerConfig.of(
            Map.of(
                "bootstrap.servers",
                TestKafka.bootstrap(),
                "topic.prefix",
                "check-" + UUID.randomUUID()));
    TestKafka.createTopics(config.kafka().topics(), 1);
    try (Admin admin = Admin.create(new KafkaConnection("worker", config.kafka()).admin())) {
      for (String retention : List.of("3600000", "-1")) {
        ConfigResource blobs =
            new ConfigResource(ConfigResource.Type.TOPIC, config.kafka().topics().blobs());
        admin
            .incrementalAlterConfigs(
                Map.of(
                    blobs,
                    List.of(
                        new AlterConfigOp(
                            new ConfigEntry("retention.ms", retention), AlterConfigOp.OpType.SET))))
            .all()
            .get();
        // The broker takes a moment to hear of it.
        await()
            .until(
                () -> TopicCheck.blobRetentionMs(admin, config.kafka()),
                isEqual(Long.parseLong(retention)));
      }
    }
  }
}
