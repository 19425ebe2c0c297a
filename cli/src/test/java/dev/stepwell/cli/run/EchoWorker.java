package dev.stepwell.cli.run;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Stands for the workers: reads requests from the beginning and answers those that it may, in
 * transactions. What it may not answer it comes back to. Its thread owns everything but the counts.
 */
final class EchoWorker implements AutoCloseable {
  private final MessageCodec codec = new MessageCodec();
  private final Map<String, Integer> seen = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final KafkaConsumer<String, byte[]> consumer;
  private final KafkaProducer<String, byte[]> producer;
  private final Thread thread = new Thread(this::work, "echo worker");

  /** Requests whose answer can't be read. */
  private final Predicate<String> garbled;

  /** Which requests are answered now. */
  private volatile Predicate<String> answered;

  EchoWorker(
      String bootstrap, int partitions, Predicate<String> answered, Predicate<String> garbled) {
    this.answered = answered;
    this.garbled = garbled;
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, partitions)
            .mapToObj(each -> new TopicPartition(Topics.DEFAULT.requests(), each))
            .toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "transactional.id", "echo-" + hashCode()),
            new StringSerializer(),
            new ByteArraySerializer());
    thread.start();
  }

  /** How often each request was published. */
  Map<String, Integer> seen() {
    return Map.copyOf(seen);
  }

  /** Lets more be answered, from where it stands. */
  void answer(Predicate<String> which) {
    answered = which;
  }

  private void work() {
    try (consumer;
        producer) {
      producer.initTransactions();
      List<ConsumerRecord<String, byte[]>> waiting = new java.util.ArrayList<>();
      while (!closed.get()) {
        ConsumerRecords<String, byte[]> records = consumer.poll(Duration.ofMillis(50));
        for (ConsumerRecord<String, byte[]> record : records) {
          seen.merge(codec.decodeRequest(record.value()).requestId(), 1, Integer::sum);
          waiting.add(record);
        }
        List<ConsumerRecord<String, byte[]>> now =
            waiting.stream().filter(each -> answered.test(id(each))).toList();
        if (!now.isEmpty()) {
          producer.beginTransaction();
          now.forEach(this::reply);
          producer.commitTransaction();
          waiting.removeAll(now);
        }
      }
    }
  }

  private String id(ConsumerRecord<String, byte[]> record) {
    return codec.decodeRequest(record.value()).requestId();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The transaction tells.
  private void reply(ConsumerRecord<String, byte[]> record) {
    Request request = codec.decodeRequest(record.value());
    byte[] message =
        garbled.test(request.requestId())
            ? "{\"version\":99,\"requestId\":\"%s\"}"
                .formatted(request.requestId())
                .getBytes(StandardCharsets.UTF_8)
            : codec.encode(result(request));
    producer.send(
        new ProducerRecord<>(Topics.DEFAULT.results(), record.partition(), record.key(), message));
  }

  private static ExecutionResult result(Request request) {
    return new ExecutionResult(
        request.requestId(),
        request.sessionId(),
        null,
        Outcome.COMPLETED,
        0,
        null,
        "echo of " + request.requestId(),
        "",
        Truncation.NONE,
        null,
        null,
        null,
        null,
        Timings.NONE,
        Usage.NONE,
        "echo",
        null,
        1);
  }

  @Override
  public void close() {
    closed.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
