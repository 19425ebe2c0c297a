package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.DeadLetter;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each bad input gets one typed answer, and the partition goes on. */
@Timeout(180)
class BadInputIT extends DeliveryFixture {
  /** What the worker accepts by default is 8 MiB. */
  private static final int HUGE_BYTES = 50 << 20;

  private Worker worker;

  @BeforeEach
  void startWorker() throws InterruptedException {
    worker = worker();
  }

  @AfterEach
  void closeWorker() {
    if (worker != null) {
      worker.close();
    }
  }

  @Test
  void bytesThatAreNoJson_becomeADeadLetterWithOriginAndReason() {
    String key = UUID.randomUUID().toString();
    publisher().publishRaw(key, "no json at all".getBytes(StandardCharsets.UTF_8));

    ConsumerRecord<byte[], byte[]> letter = publisher().awaitDeadLetter();
    assertThat(new String(letter.value(), StandardCharsets.UTF_8)).isEqualTo("no json at all");
    assertThat(new String(letter.key(), StandardCharsets.UTF_8)).isEqualTo(key);
    assertThat(header(letter, DeadLetter.TOPIC)).isEqualTo(topics.requests());
    assertThat(header(letter, DeadLetter.PARTITION)).isEqualTo("" + letter.partition());
    assertThat(header(letter, DeadLetter.OFFSET)).isEqualTo("0");
    assertThat(header(letter, DeadLetter.CODE)).isEqualTo("NOT_JSON");
    assertThat(header(letter, DeadLetter.REASON)).isNotBlank();
    partitionGoesOn(key);
  }

  @Test
  void brokenJsonWithAnId_isRejected() {
    assertRejected("{'version':1,'requestId':'ID','kind':'PYTHON','source':", ErrorCode.NOT_JSON);
  }

  @Test
  void unknownVersion_isRejected() {
    assertRejected(
        "{'version':99,'requestId':'ID','kind':'PYTHON','source':'1'}",
        ErrorCode.UNSUPPORTED_VERSION);
  }

  @Test
  void unknownProfile_isRejected() {
    assertRejected(
        "{'version':1,'requestId':'ID','kind':'PYTHON','source':'1','profile':'nowhere'}",
        ErrorCode.UNKNOWN_PROFILE);
  }

  @Test
  void limitBeyondTheProfiles_isRejected() {
    assertRejected(
        "{'version':1,'requestId':'ID','kind':'PYTHON','source':'1',"
            + "'limits':{'wallTimeMs':86400000000}}",
        ErrorCode.LIMIT_BEYOND_PROFILE);
  }

  @Test
  void emptySource_isRejected() {
    assertRejected(
        "{'version':1,'requestId':'ID','kind':'PYTHON','source':' '}", ErrorCode.EMPTY_SOURCE);
  }

  @Test
  void replyTopicThatIsNotAllowed_isRejected() {
    assertRejected(
        "{'version':1,'requestId':'ID','kind':'PYTHON','source':'1','replyTo':'somewhere'}",
        ErrorCode.REPLY_TOPIC_NOT_ALLOWED);
  }

  @Test
  void sourceThatIsNoUtf8_isRejected() {
    String id = UUID.randomUUID().toString();
    byte[] start =
        ("{\"version\":1,\"requestId\":\"" + id + "\",\"kind\":\"PYTHON\",\"source\":\"")
            .getBytes(StandardCharsets.UTF_8);
    byte[] message = Arrays.copyOf(start, start.length + 4);
    message[start.length] = (byte) 0xff;
    message[start.length + 1] = (byte) 0xfe;
    message[start.length + 2] = '"';
    message[start.length + 3] = '}';
    publisher().publishRaw(id, message);

    ExecutionResult result = publisher().await(id);
    assertThat(result.outcome()).isEqualTo(Outcome.REJECTED);
    assertThat(result.error().code()).isEqualTo(ErrorCode.NOT_JSON);
    partitionGoesOn(id);
  }

  @Test
  void halfASurrogatePair_isRejected() {
    assertRejected(
        "{'version':1,'requestId':'ID','kind':'PYTHON','source':'x=\\ud800'}",
        ErrorCode.INVALID_FIELD);
  }

  @Test
  void messageOf50Megabytes_isRejectedWithTheLimit() {
    String id = UUID.randomUUID().toString();
    byte[] start =
        ("{\"version\":1,\"requestId\":\"" + id + "\",\"kind\":\"PYTHON\",\"source\":\"")
            .getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[HUGE_BYTES];
    Arrays.fill(message, (byte) 'x');
    System.arraycopy(start, 0, message, 0, start.length);
    message[HUGE_BYTES - 2] = '"';
    message[HUGE_BYTES - 1] = '}';
    publisher().publishRaw(id, message);

    ExecutionResult result = publisher().await(id);
    assertThat(result.outcome()).isEqualTo(Outcome.REJECTED);
    assertThat(result.error().code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(result.error().message()).contains("" + HUGE_BYTES).contains("" + (8 << 20));
    partitionGoesOn(id);
  }

  @Test
  void wrongPartition_isRejected() {
    String id = UUID.randomUUID().toString();
    String message =
        "{\"version\":1,\"requestId\":\"" + id + "\",\"kind\":\"PYTHON\",\"source\":\"1\"}";
    for (int partition = 0; partition < PARTITIONS; partition++) {
      publisher().publishTo(partition, id, message.getBytes(StandardCharsets.UTF_8));
    }

    publisher().await(id);
    Waiting.until("every copy is answered", () -> publisher().all(id).size() == PARTITIONS);
    assertThat(publisher().all(id))
        .filteredOn(each -> each.outcome() == Outcome.REJECTED)
        .hasSize(PARTITIONS - 1)
        .allSatisfy(each -> assertThat(each.error().code()).isEqualTo(ErrorCode.WRONG_PARTITION));
  }

  @Test
  void syntaxError_isTheUsersFailure() {
    ExecutionResult result = publisher().run(Publisher.python(null, "x = = 1"));

    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(result.exception().name()).isEqualTo("SyntaxError");
    assertThat(result.exception().line()).isEqualTo(1);
    assertThat(result.error()).isNull();
  }

  @Test
  void rejectedRequestOfASession_leavesTheSessionAsItWas() {
    String session = UUID.randomUUID().toString();
    publisher().run(Publisher.python(session, "x = 1"));
    String id = UUID.randomUUID().toString();
    publisher()
        .publishRaw(
            session,
            ("{\"version\":1,\"requestId\":\""
                    + id
                    + "\",\"sessionId\":\""
                    + session
                    + "\","
                    + "\"kind\":\"PYTHON\",\"source\":\"x = 2\",\"profile\":\"nowhere\"}")
                .getBytes(StandardCharsets.UTF_8));

    assertThat(publisher().await(id).step()).isNull();
    ExecutionResult next = publisher().run(Publisher.python(session, "x"));
    assertThat(next.step()).isEqualTo(2);
    assertThat(next.value().text()).isEqualTo("1");
  }

  private void assertRejected(String template, ErrorCode code) {
    String id = UUID.randomUUID().toString();
    String message = template.replace("ID", id).replace('\'', '"');
    publisher().publishRaw(id, message.getBytes(StandardCharsets.UTF_8));

    ExecutionResult result = publisher().await(id);
    assertThat(result.outcome()).isEqualTo(Outcome.REJECTED);
    assertThat(result.error().code()).isEqualTo(code);
    assertThat(result.error().message()).isNotBlank();
    assertThat(result.error().retrySafe()).isTrue();
    assertThat(result.sandboxId()).isNull();
    partitionGoesOn(id);
    assertThat(publisher().all(id)).hasSize(1);
  }

  /** A session named like the key lands in the same partition, behind the bad input. */
  private void partitionGoesOn(String key) {
    ExecutionResult next = publisher().run(Publisher.python(key, "1 + 1"));
    assertThat(next.outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(next.value().text()).isEqualTo("2");
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
