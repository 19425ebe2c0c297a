import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.codec.MessageCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Stands in for all workers and answers one-shots faster than any could: nothing runs, each result
 * says that the step printed its source. For measuring what publishes and compares, not what runs.
 *
 * <p>Argument: where Kafka is. Ends when it is told to.
 */
public final class StandIn {
  private StandIn() {}

  public static void main(String[] arguments) {
    MessageCodec codec = new MessageCodec();
    Map<String, Object> reading =
        Map.of("bootstrap.servers", arguments[0], "max.poll.records", "2000");
    Map<String, Object> writing =
        Map.of(
            "bootstrap.servers", arguments[0], "transactional.id", "stand-in", "linger.ms", "1");
    try (KafkaConsumer<byte[], byte[]> requests =
            new KafkaConsumer<>(
                reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        KafkaProducer<byte[], byte[]> results =
            new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<TopicPartition> all =
          requests.partitionsFor(Topics.DEFAULT.requests()).stream()
              .map(each -> new TopicPartition(each.topic(), each.partition()))
              .toList();
      requests.assign(all);
      requests.seekToBeginning(all);
      results.initTransactions();
      System.out.println("stand-in is ready");
      while (true) {
        ConsumerRecords<byte[], byte[]> polled = requests.poll(Duration.ofSeconds(1));
        if (polled.isEmpty()) {
          continue;
        }
        results.beginTransaction();
        for (ConsumerRecord<byte[], byte[]> each : polled) {
          byte[] answer = codec.encode(answer((ExecutionRequest) codec.decodeRequest(each.value())));
          results.send(
              new ProducerRecord<>(
                  Topics.DEFAULT.results(), each.partition(), each.key(), answer));
        }
        results.commitTransaction();
      }
    }
  }

  private static ExecutionResult answer(ExecutionRequest request) {
    return new ExecutionResult(
        request.requestId(),
        null,
        null,
        Outcome.COMPLETED,
        0,
        null,
        String.valueOf(request.source()),
        "",
        Truncation.NONE,
        null,
        null,
        null,
        null,
        new Timings(1, 1, 1, 1, 1, 1),
        Usage.NONE,
        "stand-in",
        null,
        1);
  }
}
