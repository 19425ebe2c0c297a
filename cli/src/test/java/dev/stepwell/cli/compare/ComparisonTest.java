package dev.stepwell.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import dev.stepwell.protocol.WorkspaceEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@NullUnmarked // Sets fields of results that may be null.
final class ComparisonTest {
  private static final String MORE = "\n(more)";
  private static final List<Outcome> OUTCOMES = List.copyOf(EnumSet.allOf(Outcome.class));

  private static List<Difference> compare(
      Sample recorded, Consumer<Sample> change, String... rules) {
    return compare(States.UNKNOWN, recorded, change, rules);
  }

  private static List<Difference> compare(
      States states, Sample recorded, Consumer<Sample> change, String... rules) {
    return new Comparison(IgnoreRules.of(List.of(rules)), states)
        .compare(Sample.REQUEST, recorded.make(), recorded.with(change).make());
  }

  private static Difference difference(
      Difference.Type type, String what, @Nullable String recorded, @Nullable String replayed) {
    return new Difference(type, what, recorded, replayed);
  }

  static Stream<Arguments> changes() {
    List<Arguments> all = new ArrayList<>();
    add(
        all,
        s -> s.outcome = Outcome.EXITED,
        Difference.Type.OUTCOME,
        "outcome",
        "COMPLETED",
        "EXITED");
    add(all, s -> s.exitCode = 3, Difference.Type.OUTCOME, "exit code", "0", "3");
    add(all, s -> s.exitCode = null, Difference.Type.OUTCOME, "exit code", "0", null);
    add(all, s -> s.signal = "SIGKILL", Difference.Type.OUTCOME, "signal", null, "SIGKILL");
    add(
        all,
        s -> s.error = Sample.error(ErrorCode.NO_SANDBOX),
        Difference.Type.OUTCOME,
        "error",
        null,
        "NO_SANDBOX");
    add(
        all,
        s -> s.error = Sample.error(ErrorCode.TIME_LIMIT),
        Difference.Type.LIMIT,
        "TIME_LIMIT",
        "not met",
        "met");
    add(
        all,
        s -> s.truncation = new Truncation(0, 7),
        Difference.Type.LIMIT,
        "output limit of stderr",
        "not met",
        "7 bytes left out");
    add(all, s -> s.stdout = "a\nB\nc\n", Difference.Type.STDOUT, "line 2", "b", "B");
    add(all, s -> s.stdout = "a\nc\n", Difference.Type.STDOUT, "line 2", "b", null);
    add(all, s -> s.stdout = "a\nb\nc\nd\ne\n", Difference.Type.STDOUT, "lines 4-5", null, "d\ne");
    add(all, s -> s.stdout = "a\nb\nc", Difference.Type.STDOUT, "line 4", "", null);
    add(all, s -> s.stderr = "", Difference.Type.STDERR, "line 1", "warning", null);
    add(all, s -> s.value = null, Difference.Type.VALUE, "value", "[1, 2]", null);
    add(
        all,
        s -> s.value = new Value("[1, 3]", s.value.type(), s.value.mime()),
        Difference.Type.VALUE,
        "value",
        "[1, 2]",
        "[1, 3]");
    add(
        all,
        s -> s.value = new Value("[1, 2]", "builtins.tuple", s.value.mime()),
        Difference.Type.VALUE,
        "value, type",
        "builtins.list",
        "builtins.tuple");
    add(
        all,
        s -> s.value = new Value("[1, 2]", "builtins.list", Map.of("image/png", "QUJE")),
        Difference.Type.VALUE,
        "value, image/png",
        "3 bytes, sha256 b5d4045c-3f466fa9-1fe2cc6a",
        "3 bytes, sha256 69f0fb8c-b1d21953-40160eb0");
    add(
        all,
        s -> s.displays = List.of(new Value("", "", Map.of("text/html", "<b>2</b>"))),
        Difference.Type.VALUE,
        "display 1, text/html",
        "<b>1</b>",
        "<b>2</b>");
    add(all, s -> s.displays = List.of(), Difference.Type.VALUE, "display 1", "text/html", null);
    add(
        all,
        s -> s.exception = new ExceptionReport("IndexError", "'a'", "T\nKeyError: 'a'\n", 1),
        Difference.Type.EXCEPTION,
        "name",
        "KeyError",
        "IndexError");
    add(
        all,
        s -> s.exception = new ExceptionReport("KeyError", "'b'", "T\nKeyError: 'b'\n", 1),
        Difference.Type.EXCEPTION,
        "message",
        "'a'",
        "'b'");
    add(
        all,
        s -> s.exception = new ExceptionReport("KeyError", "'a'", "T\nKeyError: 'a'\n", 2),
        Difference.Type.EXCEPTION,
        "line",
        "1",
        "2");
    add(
        all,
        s -> s.exception = new ExceptionReport("KeyError", "'a'", "U\nKeyError: 'a'\n", 1),
        Difference.Type.EXCEPTION,
        "traceback",
        "T\nKeyError: ",
        "U\nKeyError: ");
    add(
        all,
        s -> s.exception = null,
        Difference.Type.EXCEPTION,
        "exception",
        "KeyError: 'a'",
        null);
    add(all, s -> s.artifacts = List.of(), Difference.Type.ARTIFACT, "out.txt", "text", null);
    add(
        all,
        s -> s.artifacts = List.of(Sample.artifact("out.txt", "next")),
        Difference.Type.ARTIFACT,
        "out.txt",
        "text",
        "next");
    add(
        all,
        s ->
            s.artifacts =
                List.of(Artifact.missing("out.txt", Artifact.Problem.MISSING, "not there")),
        Difference.Type.ARTIFACT,
        "out.txt",
        "text",
        "MISSING");
    add(
        all,
        s ->
            s.artifacts =
                List.of(
                    new Artifact(
                        "out.txt",
                        4,
                        Sample.hash("text"),
                        0755,
                        Bytes.of("text".getBytes(StandardCharsets.UTF_8)),
                        null,
                        null)),
        Difference.Type.ARTIFACT,
        "out.txt, mode",
        "0644",
        "0755");
    add(
        all,
        s -> s.state = new StateReport(s.state.snapshot(), false, 100, 10, 3, List.of(), 1, 5),
        Difference.Type.STATE,
        "saved",
        "true",
        "false");
    add(
        all,
        s -> s.state = Sample.state(s.state.snapshot(), 4),
        Difference.Type.STATE,
        "number of variables",
        "3",
        "4");
    add(
        all,
        s -> s.state = Sample.state(s.state.snapshot(), 3, Sample.lost("g", "it runs")),
        Difference.Type.STATE,
        "lost g",
        null,
        "builtins.generator: it runs");
    add(
        all,
        s -> s.state = Sample.state(Sample.snapshot('b'), 4),
        Difference.Type.STATE,
        "state, its variables can't be told",
        "snapshot aaaaaaaaaaaa, 3 variables, 1 files",
        "snapshot bbbbbbbbbbbb, 4 variables, 1 files");
    add(
        all,
        s -> s.state = null,
        Difference.Type.STATE,
        "state",
        "snapshot aaaaaaaaaaaa, 3 variables, 1 files",
        null);
    return all.stream();
  }

  private static void add(
      List<Arguments> all,
      Consumer<Sample> change,
      Difference.Type type,
      String what,
      String recorded,
      String replayed) {
    all.add(Arguments.of(change, new Difference(type, what, recorded, replayed)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void eachField_isItsOwnDifference(Consumer<Sample> change, Difference expected) {
    assertThat(compare(Sample.result(), change)).containsExactly(expected);
  }

  @Test
  void whatNeverCounts_isNoDifference() {
    assertThat(
            compare(
                Sample.result().with(s -> s.stdout = "I am recorded-session-1\n"),
                s -> {
                  s.requestId = "r0123456789ab.recorded-request-1";
                  s.sessionId = "r0123456789ab.recorded-session-1";
                  s.stdout = "I am r0123456789ab.recorded-session-1\n";
                  s.timings = new Timings(1, 2, 3, 4, 5, 6);
                  s.usage = new Usage(1.0, 2L, "cgroup");
                  s.workerId = "other";
                  s.sandboxId = "other";
                  s.attempt = 2;
                  s.state = new StateReport(s.state.snapshot(), true, 7, 8, 3, List.of(), 1, 5);
                }))
        .isEmpty();
  }

  @Test
  void limitThatExplainsAnOutcome_comesFirst() {
    assertThat(
            compare(
                Sample.result(),
                s -> {
                  s.outcome = Outcome.TIMED_OUT;
                  s.error = Sample.error(ErrorCode.TIME_LIMIT);
                }))
        .containsExactly(
            difference(Difference.Type.LIMIT, "TIME_LIMIT", "not met", "met"),
            difference(Difference.Type.OUTCOME, "outcome", "COMPLETED", "TIMED_OUT"));
  }

  @Test
  void outputThatIsCutOtherwise_isComparedAsFarAsBothGo() {
    assertThat(
            compare(
                Sample.result().with(s -> s.stdout = "one\ntwo\nthree\nfour\n"),
                s -> {
                  s.stdout = "one\ntwo\nthr";
                  s.truncation = new Truncation(8, 0);
                }))
        .containsExactly(
            difference(
                Difference.Type.LIMIT, "output limit of stdout", "not met", "8 bytes left out"));
  }

  @Test
  void reasonsForLosses_mayBeOfOtherWords() {
    Sample recorded =
        Sample.result()
            .with(s -> s.state = Sample.state(s.state.snapshot(), 3, Sample.lost("g", "why")));
    assertThat(
            compare(
                recorded,
                s -> s.state = Sample.state(s.state.snapshot(), 3, Sample.lost("g", "because"))))
        .isEmpty();
  }

  @Test
  void variableThatIsTooLargeOnOneSide_namesTheLimit() {
    assertThat(
            compare(
                Sample.result(),
                s ->
                    s.state =
                        Sample.state(
                            s.state.snapshot(),
                            3,
                            Sample.lost("big", "the session's state is limited to 9 bytes"))))
        .contains(difference(Difference.Type.LIMIT, "size of the state", "not met", "met for big"))
        .anyMatch(found -> found.what().equals("lost big"));
  }

  private static States states(States.Contents recorded, States.Contents replayed) {
    return new States() {
      @Override
      public Contents recorded(String snapshotId) {
        return recorded;
      }

      @Override
      public Contents replayed(ExecutionResult result) {
        return replayed;
      }
    };
  }

  private static States.Item item(String digest, String text) {
    return new States.Item(digest, text);
  }

  @Test
  void statesOfOtherIds_areComparedByWhatTheyHold() {
    States states =
        states(
            new States.Contents(
                Map.of("n", item("1", "3"), "same", item("2", "5 bytes"), "gone", item("3", "x")),
                Map.of("a.txt", item("4", "file, 1 bytes, 0644")),
                Map.of("random", item("5", "2 bytes"))),
            new States.Contents(
                Map.of("n", item("0", "4"), "same", item("2", "5 bytes")),
                Map.of("a.txt", item("0", "file, 1 bytes, 0644"), "b", item("9", "folder")),
                Map.of("random", item("0", "2 bytes"))));
    Consumer<Sample> other = s -> s.state = Sample.state(Sample.snapshot('b'), 2);

    assertThat(compare(states, Sample.result(), other))
        .containsExactly(
            difference(Difference.Type.STATE, "variable gone", "x", null),
            difference(Difference.Type.STATE, "variable n", "3", "4"),
            difference(
                Difference.Type.STATE, "file a.txt", "file, 1 bytes, 0644", "file, 1 bytes, 0644"),
            difference(Difference.Type.STATE, "file b", null, "folder"),
            difference(Difference.Type.STATE, "setting random", "2 bytes", "2 bytes"));
    assertThat(compare(states, Sample.result(), other, "variable:*n*", "file:?*", "random"))
        .isEmpty();
    assertThat(compare(states, Sample.result(), other, "state")).isEmpty();
  }

  @Test
  void statesThatHoldTheSame_areTheSame_andSoAreValuesThatDifferInWhatIsIgnored() {
    States.Contents one =
        new States.Contents(Map.of("at", item("1", "'<C at 0x7f00aa>'")), Map.of(), Map.of());
    States.Contents other =
        new States.Contents(Map.of("at", item("2", "'<C at 0x7f11bb>'")), Map.of(), Map.of());
    Consumer<Sample> change = s -> s.state = Sample.state(Sample.snapshot('b'), 3);

    assertThat(compare(states(one, one), Sample.result(), change)).isEmpty();
    assertThat(compare(states(one, other), Sample.result(), change)).isEmpty();
    assertThat(compare(states(one, other), Sample.result(), change, "-addresses")).hasSize(1);
  }

  @Test
  void stateThatNeitherStepSaved_isNotToldAgain() {
    Sample unsaved =
        Sample.result()
            .with(
                s -> {
                  String id = s.state.snapshot();
                  s.state = new StateReport(id, false, 1, 0, 3, List.of(), 1, 5);
                });
    assertThat(
            compare(
                unsaved,
                s -> {
                  String id = Sample.snapshot('b');
                  s.state = new StateReport(id, false, 1, 0, 3, List.of(), 1, 5);
                }))
        .isEmpty();
  }

  @Test
  void answers_areComparedWithoutReferencesAndTimes() {
    Sample located = Sample.result().with(s -> s.answer = new SessionAnswer.Located("s1.a", 3));
    assertThat(compare(located, s -> s.answer = new SessionAnswer.Located("s1.b", 3))).isEmpty();
    assertThat(compare(located, s -> s.answer = new SessionAnswer.Located("s1.a", 2)))
        .containsExactly(difference(Difference.Type.ANSWER, "step", "3", "2"));
    assertThat(compare(located, s -> s.answer = null))
        .containsExactly(difference(Difference.Type.ANSWER, "answer", "Located", null));

    Sample history = Sample.result().with(s -> s.answer = history("a", 1, Outcome.COMPLETED));
    assertThat(compare(history, s -> s.answer = history("b", 2, Outcome.COMPLETED))).isEmpty();
    assertThat(compare(history, s -> s.answer = history("a", 1, Outcome.FAILED)))
        .containsExactly(difference(Difference.Type.ANSWER, "step 1", "COMPLETED", "FAILED"));

    Sample files = Sample.result().with(s -> s.answer = files("s1.a", 0644, 1));
    assertThat(compare(files, s -> s.answer = files("s1.b", 0644, 2))).isEmpty();
    assertThat(compare(files, s -> s.answer = files("s1.a", 0600, 1)))
        .extracting(Difference::what)
        .containsExactly("file f");

    Sample content = Sample.result().with(s -> s.answer = content("one", 1));
    assertThat(compare(content, s -> s.answer = content("one", 2))).isEmpty();
    assertThat(compare(content, s -> s.answer = content("two", 1)))
        .containsExactly(difference(Difference.Type.ANSWER, "file f, content", "one", "two"));
    assertThat(compare(content, s -> s.answer = content("two", 1), "file:f")).isEmpty();
  }

  private static SessionAnswer history(String requestId, long atMs, Outcome outcome) {
    return new SessionAnswer.History(
        List.of(new HistoryEntry(1, null, requestId, outcome, atMs, 7, true)), false);
  }

  private static WorkspaceEntry entry(int mode, long modifiedNs) {
    return new WorkspaceEntry(
        "f", WorkspaceEntry.Kind.FILE, mode, 3, modifiedNs, Sample.hash("f"), null);
  }

  private static SessionAnswer files(String reference, int mode, long modifiedNs) {
    return new SessionAnswer.Files(reference, List.of(entry(mode, modifiedNs)), false);
  }

  private static SessionAnswer content(String text, long modifiedNs) {
    return new SessionAnswer.Content(
        "s1.a", entry(0644, modifiedNs), 0, Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void longTextsThatPartLate_areShownWhereTheyPart() {
    String start = "x".repeat(50_000);
    Difference found =
        compare(Sample.result().with(s -> s.stdout = start + "one"), s -> s.stdout = start + "two")
            .get(0);
    assertThat(found.recorded()).endsWith("xxone").hasSizeLessThan(Difference.MAX_CHARACTERS);
    assertThat(found.replayed()).endsWith("xxtwo");
  }

  /** Results of any kind against themselves, and against themselves with one field changed. */
  @Test
  void anyResult_equalsItself_andNeverOneThatDiffersInAField() {
    List<Consumer<Sample>> single =
        List.of(
            s -> s.outcome = s.outcome == Outcome.FAILED ? Outcome.EXITED : Outcome.FAILED,
            s -> s.exitCode = s.exitCode == null ? 0 : null,
            s -> s.signal = s.signal == null ? "SIGSEGV" : null,
            s -> s.stdout += MORE,
            s -> s.stderr = MORE + s.stderr,
            s -> s.truncation = new Truncation(s.truncation.stdoutBytes() + 1, 0),
            s -> s.value = new Value(s.value.text() + "!", s.value.type(), s.value.mime()),
            s -> s.value = new Value(s.value.text(), s.value.type() + "!", s.value.mime()),
            s -> s.value = new Value(s.value.text(), s.value.type(), Map.of("text/x", "x")),
            s -> s.displays = List.of(),
            s -> s.exception = null,
            s -> s.error = Sample.error(ErrorCode.CANCELLED),
            s -> s.error = Sample.error(ErrorCode.DISK_LIMIT),
            s -> s.state = Sample.state(Sample.snapshot('f'), s.state.kept()),
            s -> s.artifacts = List.of(),
            s -> s.answer = new SessionAnswer.Located("s1", 999));
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      Sample sample = random(random);
      assertThat(compare(sample, s -> {})).isEmpty();
      Consumer<Sample> change = single.get(random.nextInt(single.size()));
      assertThat(compare(sample, change)).as("change %d", single.indexOf(change)).isNotEmpty();
    }
  }

  private static Sample random(Random random) {
    return Sample.result()
        .with(
            s -> {
              s.outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
              s.exitCode = random.nextBoolean() ? random.nextInt(256) : null;
              s.stdout = text(random);
              s.stderr = text(random);
              s.truncation = new Truncation(random.nextInt(3), random.nextInt(3));
              s.value = new Value(text(random), "t", Map.of("text/plain", text(random)));
              s.exception = new ExceptionReport("E", text(random), text(random), null);
              s.state = Sample.state(Sample.snapshot('e'), random.nextInt(5));
              s.artifacts = List.of(Sample.artifact("a", text(random)));
            });
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int lines = random.nextInt(20);
    for (int i = 0; i < lines; i++) {
      text.append("line ")
          .append(random.nextInt(4))
          .append(random.nextBoolean() ? "\n" : " 0xabcd");
    }
    return text.toString();
  }
}
