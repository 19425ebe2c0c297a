package dev.stepwell.worker.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Value;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.commit.Lease;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What goes out of a result that is too large for a message. */
final class AnswersTest {
  private static final int MAX_BYTES = 1 << 20;
  private static final Artifact ARTIFACT =
      new Artifact("a", 300_000, null, 0644, Bytes.of(new byte[300_000]), null, null);

  private final MessageCodec codec = new MessageCodec();
  private final Answers answers = new Answers(Topics.DEFAULT, codec, MAX_BYTES);

  private static Value display(String text, int formBytes) {
    return new Value(text, "t", Map.of("image/png", "x".repeat(formBytes)));
  }

  private static ResultDraft draft(List<Value> displays) {
    return new ResultDraft("r", "s", "w", 1)
        .outcome(Outcome.COMPLETED)
        .artifacts(List.of(ARTIFACT))
        .displays(displays);
  }

  private ExecutionResult told(ResultDraft draft) {
    Arrival arrival = new Arrival(new Lease(0, 1), 0, 0, new byte[0], new byte[0], Map.of());
    byte[] message = Objects.requireNonNull(answers.result(draft, arrival, "t").value());
    assertThat(message.length).isLessThanOrEqualTo(MAX_BYTES);
    return codec.decodeResult(message);
  }

  @Test
  void resultThatFits_isToldWhole() {
    List<Value> displays = List.of(display("one", 300_000), display("two", 200_000));
    ExecutionResult result = told(draft(displays));

    assertThat(result.displays()).isEqualTo(displays);
    assertThat(result.artifacts()).containsExactly(ARTIFACT);
  }

  @Test
  void tooLarge_theLargestFormsGoFirst() {
    ExecutionResult result =
        told(draft(List.of(display("small", 1000), display("large", 900_000), display("s", 999))));

    assertThat(result.displays()).extracting(Value::text).containsExactly("small", "large", "s");
    assertThat(result.displays().get(1).mime()).isEmpty();
    assertThat(result.displays().get(2)).isEqualTo(display("s", 999));
    assertThat(result.artifacts()).containsExactly(ARTIFACT);
  }

  @Test
  void stillTooLarge_outputIsCutAndCounted() {
    List<Value> displays = IntStream.range(0, 100).mapToObj(i -> display("d", 9000)).toList();
    String output = "\u0001".repeat(300_000);
    ExecutionResult result = told(draft(displays).output(output, "err", Truncation.NONE));

    assertThat(result.displays()).hasSize(100).allMatch(display -> display.mime().isEmpty());
    assertThat(result.truncation().stdoutBytes()).isEqualTo(300_000 - result.stdout().length());
    assertThat(result.stderr()).isEqualTo("err");
    assertThat(result.artifacts()).containsExactly(ARTIFACT);
  }
}
