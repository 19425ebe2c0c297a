package dev.stepwell.worker.delivery;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A publisher made of nothing but Kafka's clients and the protocol, which keeps every result it
 * ever reads. Not thread-safe.
 */
final class Publisher implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Far beyond any fail-over; it only keeps a lost request from holding the tests up for ever. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Topics topics;
  private final MessageCodec codec = new MessageCodec();
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, List<ExecutionResult>> results = new HashMap<>();
  private final List<ConsumerRecord<byte[], byte[]>> deadLetters = new ArrayList<>();

  Publisher(Topics topics, int partitions) {
    this.topics = topics;
    Properties settings = new Properties();
    settings.put("bootstrap.servers", TestKafka.bootstrap());
    String serializer = "org.apache.kafka.common.serialization.ByteArraySerializer";
    settings.put("key.serializer", serializer);
    settings.put("value.serializer", serializer);
    settings.put("linger.ms", "0");
    settings.put("max.request.size", Integer.toString(60 << 20));
    settings.put("buffer.memory", Long.toString(128L << 20));
    this.producer = new KafkaProducer<>(settings);
    Properties reading = new Properties();
    reading.put("bootstrap.servers", TestKafka.bootstrap());
    String deserializer = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
    reading.put("key.deserializer", deserializer);
    reading.put("value.deserializer", deserializer);
    reading.put("isolation.level", "read_committed");
    this.consumer = new KafkaConsumer<>(reading);
    List<TopicPartition> assigned = new ArrayList<>();
    for (String topic : List.of(topics.results(), topics.deadLetters())) {
      IntStream.range(0, partitions).forEach(p -> assigned.add(new TopicPartition(topic, p)));
    }
    consumer.assign(assigned);
    consumer.seekToBeginning(assigned);
  }

  static ExecutionRequest python(@Nullable String sessionId, String source) {
    return request(sessionId, StepKind.PYTHON, source);
  }

  static ExecutionRequest shell(@Nullable String sessionId, String source) {
    return request(sessionId, StepKind.SHELL, source);
  }

  private static ExecutionRequest request(
      @Nullable String sessionId, StepKind kind, String source) {
    return new ExecutionRequest(
        UUID.randomUUID().toString(),
        sessionId,
        kind,
        source,
        List.of(),
        null,
        null,
        RequestLimits.DEFAULTS,
        Map.of(),
        null,
        null);
  }

  String publish(Request request) {
    publishRaw(request.key(), codec.encode(request));
    return request.requestId();
  }

  void publishRaw(String key, byte[] value) {
    send(new ProducerRecord<>(topics.requests(), key.getBytes(StandardCharsets.UTF_8), value));
  }

  void publishTo(int partition, String key, byte[] value) {
    send(
        new ProducerRecord<>(
            topics.requests(), partition, key.getBytes(StandardCharsets.UTF_8), value));
  }

  void cancel(ExecutionRequest request) {
    CancelRequest cancel = new CancelRequest(request.requestId(), request.sessionId());
    send(
        new ProducerRecord<>(
            topics.control(),
            request.key().getBytes(StandardCharsets.UTF_8),
            codec.encode(cancel)));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    try {
      producer.send(record).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while publishing", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("could not publish", e.getCause());
    }
  }

  /** Waits for the result of a request; what else arrives is kept. */
  ExecutionResult await(String requestId) {
    long giveUpAtNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!results.containsKey(requestId)) {
      poll();
      if (System.nanoTime() > giveUpAtNanos) {
        throw new IllegalStateException("no result for " + requestId + " within " + PATIENCE);
      }
    }
    return results.get(requestId).get(0);
  }

  ExecutionResult run(ExecutionRequest request) {
    return await(publish(request));
  }

  ConsumerRecord<byte[], byte[]> awaitDeadLetter() {
    while (deadLetters.isEmpty()) {
      poll();
    }
    return deadLetters.remove(0);
  }

  /** All results of a request that are committed by now. */
  List<ExecutionResult> all(String requestId) {
    consumer
        .endOffsets(consumer.assignment())
        .forEach(
            (partition, end) -> {
              while (consumer.position(partition) < end) {
                poll();
              }
            });
    return results.getOrDefault(requestId, List.of());
  }

  /** The results of a request that have been read by now. */
  List<ExecutionResult> seen(String requestId) {
    return results.getOrDefault(requestId, List.of());
  }

  int answered() {
    poll();
    return results.size();
  }

  private void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (record.topic().equals(topics.deadLetters())) {
        deadLetters.add(record);
      } else {
        ExecutionResult result = codec.decodeResult(record.value());
        results.computeIfAbsent(result.requestId(), any -> new ArrayList<>()).add(result);
      }
    }
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
