package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RequestSalvageTest {
  @Test
  void fieldsBehindFiftyMegabytesOfSource_areFound() {
    RequestSalvage salvage =
        salvage(
            "{\"source\":\""
                + "x".repeat(50 << 20)
                + "\",\"requestId\":\"r-1\",\"replyTo\":\"t\"}");
    assertThat(salvage).isEqualTo(new RequestSalvage("r-1", null, "t"));
  }

  @Test
  void escapedId_isUnderstood() {
    assertThat(salvage("{\"requestId\":\"\\u0072-\\u0031\\\"\"}").requestId()).isEqualTo("r-1\"");
  }

  @Test
  void idOfFiftyMegabytes_isNoneAndHidesNoOtherField() {
    RequestSalvage salvage =
        salvage("{\"requestId\":\"" + "x".repeat(50 << 20) + "\",\"sessionId\":\"s\"}");
    assertThat(salvage).isEqualTo(new RequestSalvage(null, "s", null));
    assertThat(salvage.unanswerable()).isTrue();
  }

  @Test
  void idInsideAnotherObject_isNotTheRequests() {
    assertThat(salvage("{\"future\":{\"requestId\":\"inner\"},\"sessionId\":\"s\"}"))
        .isEqualTo(new RequestSalvage(null, "s", null));
  }

  @Test
  void fieldTwice_countsTheFirstAcceptable() {
    assertThat(
            salvage("{\"requestId\":\"a b\",\"requestId\":\"c\",\"requestId\":\"d\"}").requestId())
        .isEqualTo("c");
  }

  @Test
  void whatIsBehindTheFirstFault_isNotRead() {
    assertThat(salvage("{\"sessionId\":\"s\",\"source\":oops,\"requestId\":\"r\"}"))
        .isEqualTo(new RequestSalvage(null, "s", null));
  }

  @Test
  void endlessNesting_endsTheSearch() {
    assertThat(salvage("{\"sessionId\":\"s\",\"a\":" + "[".repeat(1 << 20)))
        .isEqualTo(new RequestSalvage(null, "s", null));
  }

  private static RequestSalvage salvage(String message) {
    return RequestSalvage.from(message.getBytes(StandardCharsets.UTF_8));
  }
}
