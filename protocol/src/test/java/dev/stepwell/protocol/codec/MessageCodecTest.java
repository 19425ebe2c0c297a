package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class MessageCodecTest {
  private final MessageCodec codec = new MessageCodec();

  @Test
  void messageAtTheBound_isAccepted() {
    byte[] message = Golden.bytes("request-session");
    assertThat(new MessageCodec(message.length).decodeRequest(message).sessionId())
        .isEqualTo("agent-42");
  }

  @Test
  void messageOneByteBeyondTheBound_isRefusedWithSizeAndLimit() {
    byte[] message = Golden.bytes("request-session");
    InvalidMessageException refusal =
        catchThrowableOfType(
            InvalidMessageException.class,
            () -> new MessageCodec(message.length - 1).decodeRequest(message));
    assertThat(refusal.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(refusal)
        .hasMessageContaining("has " + message.length + " bytes")
        .hasMessageContaining("the " + (message.length - 1) + " that");
  }

  @Test
  void bound_isAtLeastOneByte() {
    assertThatThrownBy(() -> new MessageCodec(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxMessageBytes is 0");
  }

  @Test
  void unknownFields_areIgnored() {
    String golden = text("request-minimal");
    String extended = golden.replaceFirst("\\{", "{\"future\":{\"a\":[1,{\"b\":null}]},");
    assertThat(codec.decodeRequest(bytes(extended))).isEqualTo(codec.decodeRequest(bytes(golden)));
  }

  @Test
  void nullFields_areAbsentFields() {
    String golden = text("request-minimal");
    String withNulls =
        golden.replaceFirst(
            "\\{",
            "{\"sessionId\":null,\"argv\":null,\"stdin\":null,\"profile\":null,\"limits\":null,"
                + "\"environment\":null,\"deadlineMs\":null,\"replyTo\":null,");
    assertThat(codec.decodeRequest(bytes(withNulls))).isEqualTo(codec.decodeRequest(bytes(golden)));
  }

  @Test
  void omittedFieldsOfAResult_areAbsentFields() {
    String golden = text("result-rejected");
    String shorter = golden.replaceAll("\"[A-Za-z]+\":null,", "");
    assertThat(shorter).isNotEqualTo(golden);
    assertThat(codec.decodeResult(bytes(shorter))).isEqualTo(codec.decodeResult(bytes(golden)));
  }

  @Test
  void otherVersion_isRefusedNamingBoth() {
    assertThatThrownBy(
            () -> codec.decodeRequest(bytes(text("request-minimal").replace(":1,", ":7,"))))
        .hasMessage("version is 7, and 1 is what is spoken");
  }

  @Test
  void halfSurrogatePairsInAResult_becomeReplacementCharacters() {
    ExecutionResult result = resultSaying("a\ud83db\ude80\ud83d\ude80\ud83d");
    assertThat(codec.decodeResult(codec.encode(result)).stdout())
        .isEqualTo("a\ufffdb\ufffd\ud83d\ude80\ufffd");
  }

  @Test
  void wrongTypeDeepInAResult_isNamedByItsPath() {
    String wrong = text("result-completed").replace("\"g\",\"path\":\"g\"", "\"g\",\"path\":7");
    InvalidMessageException refusal =
        catchThrowableOfType(InvalidMessageException.class, () -> codec.decodeResult(bytes(wrong)));
    assertThat(refusal.field()).isEqualTo("state.lost[1].path");
  }

  @Test
  void everyPrefixOfAMessage_isRefusedAsNoJson() {
    byte[] message = Golden.bytes("result-completed");
    for (int length = 0; length < message.length; length++) {
      byte[] prefix = Arrays.copyOf(message, length);
      InvalidMessageException refusal =
          catchThrowableOfType(InvalidMessageException.class, () -> codec.decodeResult(prefix));
      assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_JSON);
    }
  }

  private static ExecutionResult resultSaying(String stdout) {
    return new ExecutionResult(
        "r-1",
        null,
        null,
        Outcome.COMPLETED,
        0,
        null,
        stdout,
        "",
        Truncation.NONE,
        null,
        null,
        null,
        null,
        Timings.NONE,
        Usage.NONE,
        "worker-1",
        null,
        1);
  }

  private static String text(String golden) {
    return new String(Golden.bytes(golden), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
