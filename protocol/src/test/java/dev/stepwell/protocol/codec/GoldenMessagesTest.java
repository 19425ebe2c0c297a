package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.StateSize;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import dev.stepwell.protocol.WorkspaceEntry;
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
  private static final String REFERENCE = "s1.7.q83vEjRWeJA";
  private static final byte[] CSV = "a,b\n".getBytes(StandardCharsets.UTF_8);
  private static final String CSV_SHA_256 =
      "5be08c9684a1d25efcee09318204824278b08bbfb4aef973ffefd0b9d7478313";
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
    assertThat(((ExecutionRequest) codec.decodeRequest(Golden.bytes("request-argv"))).argv())
        .containsExactly("/usr/bin/env", "printf", "%s\\n", "a \"quoted\" word", "");
  }

  @Test
  void requestWithFiles_hasTheirContentAndModes() {
    ExecutionRequest request = (ExecutionRequest) codec.decodeRequest(bytes("request-files"));
    assertThat(request.files())
        .containsExactly(
            new FileInput("in/data.csv", Bytes.of(CSV), null),
            new FileInput(
                "bin/count", Bytes.of("wc -l \"$1\"\n".getBytes(StandardCharsets.UTF_8)), 0755));
    assertThat(request.artifacts()).containsExactly("out/count", "plots/**/*.png");
    assertThat(request.strictState()).isTrue();
  }

  @Test
  void requestWithPrelude_hasItBesideItsSource() {
    ExecutionRequest request = (ExecutionRequest) codec.decodeRequest(bytes("request-prelude"));
    assertThat(request.prelude()).isEqualTo("def area(w, h):\n    return w * h\n");
    assertThat(request.source()).isEqualTo("area(2, 3)");
  }

  @Test
  void oneShotOnABase_namesTheState() {
    ExecutionRequest request = (ExecutionRequest) codec.decodeRequest(bytes("request-view"));
    assertThat(request.base()).isEqualTo(REFERENCE);
    assertThat(request.key()).isEqualTo("r-9");
  }

  @Test
  void sessionOperations_areWhatTheirTypeSays() {
    assertThat(codec.decodeRequest(bytes("request-fork")))
        .isEqualTo(
            new SessionRequest(
                "r-10",
                "agent-42-b",
                new SessionOperation.Fork(REFERENCE, true),
                1_795_132_800_000L,
                "team-a.results"));
    assertOperation("request-locate", new SessionOperation.Locate(7L));
    assertOperation("request-history", new SessionOperation.History(100, 8L));
    assertOperation("request-reset", new SessionOperation.Reset());
    assertOperation("request-end", new SessionOperation.End());
    assertOperation(
        "request-put",
        new SessionOperation.PutFiles(List.of(new FileInput("grüße/a.txt", Bytes.EMPTY, null))));
    assertOperation(
        "request-get", new SessionOperation.GetFile("out/model.bin", 524_288, 524_288, null));
    assertOperation(
        "request-remove", new SessionOperation.RemoveFiles(List.of("out", "in/data.csv")));
  }

  @Test
  void listOfAStatesFiles_needsNoSession() {
    assertThat(codec.decodeRequest(bytes("request-list")))
        .isEqualTo(
            new SessionRequest(
                "r-12",
                null,
                new SessionOperation.ListFiles("out/", "out/a", 1000, REFERENCE),
                null,
                null));
  }

  @Test
  void sessionAnswers_areWhatTheirTypeSays() {
    WorkspaceEntry file =
        new WorkspaceEntry(
            "out/größe.csv",
            WorkspaceEntry.Kind.FILE,
            0644,
            4,
            1_795_132_800_000_000_000L,
            CSV_SHA_256,
            null);
    assertAnswer("result-located", new SessionAnswer.Located(REFERENCE, 7));
    assertAnswer(
        "result-history",
        new SessionAnswer.History(
            List.of(
                new HistoryEntry(
                    7, SNAPSHOT, "r-7", Outcome.COMPLETED, 1_795_132_800_000L, 4096, true),
                new HistoryEntry(
                    6, null, "r-6", Outcome.TIMED_OUT, 1_795_132_700_000L, 4000, false)),
            true));
    assertAnswer(
        "result-listed",
        new SessionAnswer.Files(
            REFERENCE,
            List.of(
                new WorkspaceEntry(
                    "out",
                    WorkspaceEntry.Kind.FOLDER,
                    0755,
                    0,
                    1_795_132_800_000_000_001L,
                    null,
                    null),
                new WorkspaceEntry(
                    "out/latest", WorkspaceEntry.Kind.LINK, 0777, 0, 0, null, "größe.csv"),
                file),
            false));
    assertAnswer(
        "result-content",
        new SessionAnswer.Content(
            REFERENCE, file, 2, Bytes.of("b\n".getBytes(StandardCharsets.UTF_8))));
  }

  private void assertOperation(String golden, SessionOperation operation) {
    assertThat(codec.decodeRequest(bytes(golden)))
        .isEqualTo(new SessionRequest("r-11", "agent-42", operation, null, null));
  }

  private void assertAnswer(String golden, SessionAnswer answer) {
    ExecutionResult result = codec.decodeResult(bytes(golden));
    assertThat(result.session()).isEqualTo(answer);
    assertThat(result.outcome()).isEqualTo(Outcome.COMPLETED);
  }

  private static byte[] bytes(String golden) {
    return Golden.bytes(golden);
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
                List.of(),
                null,
                null,
                new StateReport(SNAPSHOT, true, 4096, 1024, 2, lost, 3, 70_000),
                List.of(
                    new Artifact("out/größe.csv", 4, CSV_SHA_256, 0644, Bytes.of(CSV), null, null),
                    new Artifact("out/model.bin", 69_996, SNAPSHOT, 0640, null, null, null),
                    Artifact.missing(
                        "plots/*.png",
                        Artifact.Problem.MISSING,
                        "no file of the workspace matches")),
                null,
                TIMINGS,
                USAGE,
                "worker-1",
                "sb-7f3a",
                1));
  }

  @Test
  void resultWithDisplays_hasThemInTheirOrder() {
    ExecutionResult result = codec.decodeResult(Golden.bytes("result-displays"));
    assertThat(result.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(result.displays())
        .containsExactly(
            new Value(
                "<Figure size 640x480 with 1 Axes>",
                "matplotlib.figure.Figure",
                Map.of("image/png", "iVBORw0KGgo=")),
            new Value("", "", Map.of("text/html", "<b>grüße</b>")),
            new Value("[1, 2]", "builtins.list", Map.of()));
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
    assertThat(result.state())
        .isEqualTo(new StateReport(SNAPSHOT, false, 4096, 0, 2, List.of(), 0, 0));
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
                new SnapshotReference(
                    SNAPSHOT,
                    3,
                    100,
                    2,
                    4096,
                    977,
                    1_763_640_000_000L,
                    new StateSize(1_048_577, 17, 4, 9_007_199_254_740_995L)),
                true));
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
