package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.protocol.InvalidMessageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the table of unacceptable requests that ships with the golden messages. */
final class InvalidRequestsTest {
  private final MessageCodec codec = new MessageCodec();

  static Stream<Named<JsonNode>> cases() throws JsonProcessingException {
    List<Named<JsonNode>> cases = new ArrayList<>();
    JsonMapper.builder()
        .build()
        .readTree(Golden.text("/golden/invalid/requests.json"))
        .forEach(entry -> cases.add(Named.of(entry.get("name").asText(), entry)));
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void unacceptableRequest_isRefusedByCodeAndField(JsonNode expected) {
    InvalidMessageException refusal =
        catchThrowableOfType(
            InvalidMessageException.class, () -> codec.decodeRequest(message(expected)));

    assertThat(refusal).isNotNull();
    assertThat(refusal.code().name()).isEqualTo(expected.get("code").asText());
    assertThat(refusal.field()).isEqualTo(textOrNull(expected.get("field")));
    if (refusal.field() != null) {
      assertThat(refusal).hasMessageContaining(refusal.field());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void unacceptableRequest_isAnsweredWhereItsIdCanBeMadeOut(JsonNode expected) {
    JsonNode salvage = expected.get("salvage");
    assertThat(RequestSalvage.from(message(expected)))
        .isEqualTo(
            new RequestSalvage(
                textOrNull(salvage.get("requestId")),
                textOrNull(salvage.get("sessionId")),
                textOrNull(salvage.get("replyTo"))));
  }

  private static byte[] message(JsonNode expected) {
    JsonNode text = expected.get("message");
    return text != null
        ? text.asText().getBytes(StandardCharsets.UTF_8)
        : Base64.getDecoder().decode(expected.get("base64").asText());
  }

  private static @Nullable String textOrNull(JsonNode node) {
    return node.isNull() ? null : node.asText();
  }
}
