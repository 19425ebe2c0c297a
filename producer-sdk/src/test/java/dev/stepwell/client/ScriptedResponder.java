package dev.stepwell.client;

import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.WorkspaceEntry;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Answers requests as a worker does, without running anything: a step's stdout is its source, some
 * sources are commands, and operations are answered as if all had been done. One thread owns both
 * of its Kafka clients.
 */
final class ScriptedResponder {
  /** Not answered until it is cancelled. */
  static final String WAIT_FOR_CANCEL = "wait";

  /** Answered first in a transaction that is aborted. */
  static final String ABORT_ONCE = "abort once";

  private static final MessageCodec CODEC = new MessageCodec(64 << 20);

  private final Topics topics;
  private final KafkaConsumer<String, byte[]> consumer;
  private final KafkaProducer<String, byte[]> producer;
  private volatile boolean stopped;
  private final Thread thread = new Thread(this::respond, "responder");

  ScriptedResponder(String bootstrap, Topics topics, int partitions) {
    this.topics = topics;
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "fetch.max.wait.ms", "50"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "transactional.id",
                "responder-" + topics.prefix(),
                "linger.ms",
                "0",
                "retry.backoff.ms",
                "1",
                "max.request.size",
                64 << 20),
            new StringSerializer(),
            new ByteArraySerializer());
    List<TopicPartition> all =
        Stream.of(topics.requests(), topics.control())
            .flatMap(t -> IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(t, p)))
            .toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    producer.initTransactions();
    thread.start();
  }

  private void respond() {
    try (consumer;
        producer) {
      while (true) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          if (record.topic().equals(topics.control())) {
            CancelRequest cancel = CODEC.decodeCancel(record.value());
            publish(record, topics.results(), cancelled(cancel));
          } else {
            answer(record, CODEC.decodeRequest(record.value()));
          }
        }
      }
    } catch (WakeupException e) {
      stopped = true;
    }
  }

  private void answer(ConsumerRecord<String, byte[]> record, Request request) {
    if (request instanceof ExecutionRequest step) {
      answer(record, step);
    } else if (request instanceof SessionRequest operation) {
      publish(record, topics.results(), answer(operation));
    }
  }

  /** The reference of a session's state is its id, and every file holds its own path. */
  private static ExecutionResult answer(SessionRequest request) {
    String id = Objects.requireNonNullElse(request.sessionId(), "");
    SessionAnswer answer = null;
    if (request.operation() instanceof SessionOperation.Locate) {
      answer = new SessionAnswer.Located(id, 1);
    } else if (request.operation() instanceof SessionOperation.GetFile get) {
      byte[] content = get.path().getBytes(StandardCharsets.UTF_8);
      answer =
          new SessionAnswer.Content(
              Objects.requireNonNullElse(get.base(), id),
              new WorkspaceEntry(
                  get.path(), WorkspaceEntry.Kind.FILE, 0644, content.length, 0, null, null),
              0,
              Bytes.of(content));
    }
    return TestResults.answered(request, answer);
  }

  private void answer(ConsumerRecord<String, byte[]> record, ExecutionRequest request) {
    String source = Objects.requireNonNullElse(request.source(), "");
    if (source.equals(WAIT_FOR_CANCEL)) {
      return;
    }
    if (source.equals(ABORT_ONCE)) {
      producer.beginTransaction();
      send(record, topics.results(), TestResults.completed(request, "aborted"));
      producer.flush();
      producer.abortTransaction();
    }
    String replyTo = Objects.requireNonNullElse(request.replyTo(), topics.results());
    publish(record, replyTo, TestResults.completed(request, source));
  }

  private void publish(
      ConsumerRecord<String, byte[]> record, String replyTo, ExecutionResult result) {
    producer.beginTransaction();
    send(record, replyTo, result);
    producer.commitTransaction();
  }

  private void send(ConsumerRecord<String, byte[]> record, String replyTo, ExecutionResult result) {
    var unused =
        producer.send(
            new ProducerRecord<>(replyTo, record.partition(), record.key(), CODEC.encode(result)));
  }

  private static ExecutionResult cancelled(CancelRequest cancel) {
    return new ExecutionResult(
        cancel.requestId(),
        cancel.sessionId(),
        null,
        Outcome.CANCELLED,
        null,
        null,
        "",
        "",
        Truncation.NONE,
        null,
        null,
        new ResultError(ErrorCode.CANCELLED, "as asked for", null, true),
        null,
        Timings.NONE,
        Usage.NONE,
        "responder",
        null,
        1);
  }

  void stop() throws InterruptedException {
    consumer.wakeup();
    thread.join();
    if (!stopped) {
      throw new AssertionError("the responder had failed before it was stopped");
    }
  }
}
