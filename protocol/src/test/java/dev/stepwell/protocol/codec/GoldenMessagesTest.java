package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class GoldenMessagesTest {
  static final List<String> REQUESTS = Golden.REQUESTS;
  static final List<String> RESULTS = Golden.RESULTS;
  static final List<String> HEADS = Golden.HEADS;
  static final List<String> CANCELS = Golden.CANCELS;

  private static final String SNAPSHOT =
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  private static final Timings TIMINGS = new Timings(1.25, 0.5, 2.0, 14.75, 3.5, 0.125);
  private static final Usage USAGE = new Usage(9.5, 12L << 20, "cgroup");

  private final MessageCodec codec = new MessageCodec();

  @ParameterizedTest
  @FieldSource("REQUESTS")
  void goldenRequest_isWrittenByteForByteAsItWasRead(String name) {
    assertSame(codec.encode(codec.decodeRequest(Golden.bytes(name))), name);
  }

  @ParameterizedTest
  @FieldSource("RESULTS")
  void goldenResult_isWrittenByteForByteAsItWasRead(String name) {
    assertSame(codec.encode(codec.decodeResult(Golden.bytes(name))), name);
  }

  @ParameterizedTest
  @FieldSource("HEADS")
  void goldenHead_isWrittenByteForByteAsItWasRead(String name) {
    assertSame(codec.encode(codec.decodeHead(Golden.bytes(name))), name);
  }

  @ParameterizedTest
  @FieldSource("CANCELS")
  void goldenCancel_isWrittenByteForByteAsItWasRead(String name) {
    assertSame(codec.encode(codec.decodeCancel(Golden.bytes(name))), name);
  }

  @Test
  void minimalRequest_hasTheDefaultsOfEverythingElse() {
    assertThat(codec.decodeRequest(Golden.bytes("request-minimal")))
        .isEqualTo(
            new ExecutionRequest(
                "r-1",
                null,
                StepKind.PYTHON,
                "print(6 * 7)",
                List.of(),
                null,
                null,
                RequestLimits.DEFAULTS,
                Map.of(),
                null,
                null));
  }

  @Test
  void sessionRequest_hasEveryField() {
    assertThat(codec.decodeRequest(Golden.bytes("request-session")))
        .isEqualTo(
            new ExecutionRequest(
                "0190c2f4-6e5b-7a3a-9d57-2c1f7b0e8a11",
                "agent-42",
                StepKind.PYTHON,
                "x = 1\nprint('grüße, 世界 🚀')\nx + 1",
                List.of(),
                "line one\nline two\n",
                "python",
                new RequestLimits(30_000L, 256L << 20, 65_536L, 0L),
                Map.of("LANG", "C.UTF-8", "EMPTY", ""),
                1_795_132_800_000L,
                "team-a.results"));
  }

  @Test
  void argvRequest_keepsQuotesAndEmptyArguments() {
    assertThat(codec.decodeRequest(Golden.bytes("request-argv")).argv())
        .containsExactly("/usr/bin/env", "printf", "%s\\n", "a \"quoted\" word", "");
  }

  @Test
  void completedResult_hasValueAndStateAndWhatWasLost() {
    List<LostValue> lost =
        List.of(
            new LostValue(
                "config",
                "config['lock']",
                "_thread.lock",
                "a lock belongs to its process",
                "make it in the step that uses it"),
            new LostValue(
                "g", "g", "builtins.generator", "a running generator has no saved form", null));
    assertThat(codec.decodeResult(Golden.bytes("result-completed")))
        .isEqualTo(
            new ExecutionResult(
                "0190c2f4-6e5b-7a3a-9d57-2c1f7b0e8a11",
                "agent-42",
                3L,
                Outcome.COMPLETED,
                0,
                null,
                "grüße, 世界 🚀\n",
                "warning: \u0007\n",
                Truncation.NONE,
                new Value(
                    "2",
                    "builtins.int",
                    Map.of("text/html", "<b>2</b>", "image/png", "iVBORw0KGgo=")),
                null,
                null,
                new StateReport(SNAPSHOT, true, 4096, 2, lost),
                TIMINGS,
                USAGE,
                "worker-1",
                "sb-7f3a",
                1));
  }

  @Test
  void failedResult_hasTheException() {
    ExecutionResult result = codec.decodeResult(Golden.bytes("result-failed"));
    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(result.exception())
        .isEqualTo(
            new ExceptionReport(
                "ZeroDivisionError",
                "division by zero",
                """
                Traceback (most recent call last):
                  File "<step 4>", line 2, in <module>
                    1 / 0
                    ~~^~~
                ZeroDivisionError: division by zero
                """,
                2));
    assertThat(result.state()).isEqualTo(new StateReport(SNAPSHOT, false, 4096, 2, List.of()));
  }

  @Test
  void timedOutResult_hasSignalAndTruncation() {
    ExecutionResult result = codec.decodeResult(Golden.bytes("result-timed-out"));
    assertThat(result.signal()).isEqualTo("SIGKILL");
    assertThat(result.exitCode()).isNull();
    assertThat(result.truncation()).isEqualTo(new Truncation(1 << 20, 0));
    assertThat(result.attempt()).isEqualTo(2);
    assertError(result.error(), ErrorCode.TIME_LIMIT, false);
  }

  @Test
  void rejectedResult_saysThatNothingRan() {
    ExecutionResult result = codec.decodeResult(Golden.bytes("result-rejected"));
    assertThat(result.usage()).isEqualTo(Usage.NONE);
    assertThat(result.sandboxId()).isNull();
    assertError(result.error(), ErrorCode.UNKNOWN_PROFILE, true);
  }

  @Test
  void headWithSnapshot_keepsOffsetsBeyondTheExactDoubles() {
    assertThat(codec.decodeHead(Golden.bytes("head-with-snapshot")))
        .isEqualTo(
            new Head(
                12,
                9_007_199_254_740_993L,
                List.of("q83vEjRWeJA", "AAECAwQFBgc"),
                new SnapshotReference(SNAPSHOT, 1_048_577, 17, List.of(100L, 101L))));
  }

  @Test
  void cancels_nameRequestAndSession() {
    assertThat(codec.decodeCancel(Golden.bytes("cancel-session")))
        .isEqualTo(new CancelRequest("r-4", "agent-42"));
    assertThat(codec.decodeCancel(Golden.bytes("cancel-one-shot")))
        .isEqualTo(new CancelRequest("r-1", null));
  }

  private static void assertError(@Nullable ResultError error, ErrorCode code, boolean retrySafe) {
    Objects.requireNonNull(error);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.retrySafe()).isEqualTo(retrySafe);
  }

  private static void assertSame(byte[] encoded, String golden) {
    assertThat(new String(encoded, StandardCharsets.UTF_8))
        .isEqualTo(new String(Golden.bytes(golden), StandardCharsets.UTF_8));
  }
}
