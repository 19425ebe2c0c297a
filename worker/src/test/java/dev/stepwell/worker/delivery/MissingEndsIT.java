package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.Worker;
import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A worker that takes over a partition whose last transaction has no end in any of the topics that
 * it wrote to. The transaction carried an answer to the session's second request, from a worker
 * called "lost", the session's next head, and the offset behind the request.
 */
@Timeout(180)
class MissingEndsIT extends DeliveryFixture {
  private static final String LOST = "lost";

  /** A number that no step has by itself. */
  private static final long STEP = 70;

  private final MessageCodec codec = new MessageCodec();
  private final String session = UUID.randomUUID().toString();
  private final int partition = partition(session);
  private final ExecutionRequest second = Publisher.python(session, "'of the worker'");

  @BeforeEach
  void trustProducers() throws Exception {
    TestKafka.trustProducers(true);
  }

  @AfterEach
  void trustNobody() throws Exception {
    TestKafka.trustProducers(false);
  }

  @Test
  void whatWasAborted_isAborted_andTheRequestRuns() throws Exception {
    leaveWithoutAnEnd(false);
    try (Worker worker = worker()) {
      assertThat(worker).isNotNull();
      ExecutionResult result = publisher().await(second.requestId());
      assertThat(result.workerId()).isNotEqualTo(LOST);
      assertThat(result.step()).isEqualTo(2);
      assertThat(publisher().all(second.requestId())).hasSize(1);
      assertThat(publisher().run(Publisher.python(session, "1")).step()).isEqualTo(3);
    }
  }

  @Test
  void whatWasCommitted_isCommitted_andTheRequestDoesNotRunAgain() throws Exception {
    leaveWithoutAnEnd(true);
    try (Worker worker = worker()) {
      assertThat(worker).isNotNull();
      ExecutionResult result = publisher().await(second.requestId());
      assertThat(result.workerId()).isEqualTo(LOST);
      assertThat(publisher().run(Publisher.python(session, "1")).step()).isEqualTo(STEP + 1);
      assertThat(publisher().all(second.requestId())).hasSize(1);
    }
  }

  private void leaveWithoutAnEnd(boolean committed) throws Exception {
    byte[] answer;
    try (Worker worker = worker("worker.id", LOST)) {
      assertThat(worker).isNotNull();
      ExecutionRequest first = Publisher.python(session, "'of the first'");
      answer = answerTo(second, publisher().run(first), first);
    }
    publisher().publish(second);
    byte[] key = session.getBytes(StandardCharsets.UTF_8);
    Properties producer =
        new KafkaConnection(LOST, WorkerConfig.of(settings()).kafka()).transactional(partition);
    UnendedTransaction unended = UnendedTransaction.of(producer, of(topics.blobs()), committed);
    unended.produce(of(topics.results()), key, answer);
    Head next = new Head(STEP, 1, List.of(), null, false);
    unended.produce(of(topics.heads()), key, codec.encode(next));
    // The session's requests are the only ones in their partition, at 0 and 1.
    unended.commitOffset(topics.prefix(), of(topics.requests()), 2);
  }

  private byte[] answerTo(
      ExecutionRequest request, ExecutionResult example, ExecutionRequest exampleOf) {
    return new String(codec.encode(example), StandardCharsets.UTF_8)
        .replace(exampleOf.requestId(), request.requestId())
        .getBytes(StandardCharsets.UTF_8);
  }

  private TopicPartition of(String topic) {
    return new TopicPartition(topic, partition);
  }
}
