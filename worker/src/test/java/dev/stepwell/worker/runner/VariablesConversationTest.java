package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a session's variables, whatever the sandbox says of them. */
@Timeout(120) // Ends a test that hangs; nothing here depends on it.
class VariablesConversationTest extends StateHarness {
  private static final StateCaps CAPS = new StateCaps(1000, 100, 10, 50, 1000, 10, false);
  private static final byte[] END =
      new Fields.Writer().add("exitCode", 0).add("killed", 0).payload();

  @TempDir private Path folder;

  private static StateFixture session() {
    return new StateFixture().caps(CAPS).body("body", new byte[10], new byte[20], new byte[30]);
  }

  private static byte[] saved(byte[] refs, byte[] eager) {
    return new Fields.Writer().add("refs", refs).add("eager", eager).add("kept", 2).payload();
  }

  @Test
  void newTable_isMadeOfOldAndNewPieces() throws Exception {
    StateFixture session = session();
    ScriptedSandbox sandbox =
        saving()
            .says('T', new byte[] {1, 2, 3})
            .says('M', utf8("new "))
            .says('M', utf8("body"))
            .says('T', new byte[] {4})
            .says('S', saved(numbers(2, -2, 0, 2), numbers(0, 3)))
            .says('Z', END);
    StepReport.State state = run(sandbox, session, PATIENT).state();

    assertThat(state.saved()).isTrue();
    assertThat(state.body()).isEqualTo(utf8("new body"));
    assertThat(state.refs()).containsExactly(2, -2, 0, 2);
    assertThat(state.eager()).containsExactly(0, 3);
    assertThat(state.kept()).isEqualTo(2);
    assertThat(state.liveBytes()).isEqualTo(8 + 30 + 1 + 10);
    assertThat(session.variablePieces.taken())
        .containsExactly(new byte[] {1, 2, 3}, new byte[] {4});
  }

  @Test
  void tableOfWhatIsNotThere_isNoTable_andNoFaultOfTheSandbox() throws Exception {
    byte[][] wrong = {
      saved(numbers(3), numbers()),
      saved(numbers(-2), numbers()),
      saved(numbers(Integer.MIN_VALUE), numbers()),
      saved(numbers(Integer.MAX_VALUE), numbers()),
      saved(new byte[3], numbers()),
      saved(numbers(0, 1), numbers(2)),
      saved(numbers(0, 1), numbers(-1)),
      saved(numbers(0, 1), numbers(1, 0)),
      saved(numbers(0, 1), numbers(1, 1)),
      saved(new byte[4 * (Piecework.MAX_PIECES + 1)], numbers()),
      new Fields.Writer().add("kept", "many").payload(),
      {1, 'x'},
    };
    for (byte[] payload : wrong) {
      ScriptedSandbox sandbox = saving().says('T', new byte[1]).says('S', payload).says('Z', END);
      StepReport report = run(sandbox, session(), PATIENT);

      assertThat(report.state().saved()).isFalse();
      assertThat(report.state().unsaved()).contains("wrong");
      assertThat(report.end()).isEqualTo(new StepReport.End(0, null, KilledBy.NONE, null));
    }
  }

  @Test
  void variablesOverTheCap_areNotTaken() throws Exception {
    StateCaps caps = new StateCaps(59, 100, 10, 50, 0, 0, false);
    ScriptedSandbox sandbox = saving().says('S', saved(numbers(0, 1, 2), numbers())).says('Z', END);
    StepReport report = run(sandbox, session().caps(caps), PATIENT);

    assertThat(report.state().unsaved()).contains("60 bytes").contains("59");
  }

  @Test
  void uploadsOverTheirBounds_loseTheSandbox() throws Exception {
    assertThat(lost(saving().says('T', new byte[101]))).contains("100 bytes");
    assertThat(lost(saving().says('T', new byte[60]).says('T', new byte[41]))).contains("100");
    assertThat(lost(saving().says('T'))).contains("a piece of 0 bytes");
    assertThat(lost(saving().says('T', new byte[Piecework.MAX_PIECE_BYTES + 1])))
        .contains("a piece of");
    assertThat(lost(saving().says('M', new byte[51]))).contains("50 bytes");
    assertThat(lost(saving().says('M', new byte[50]).says('M', new byte[1]))).contains("50 bytes");
    assertThat(lost(begun().says('T', new byte[1]))).contains("a frame T while RUNNING");
  }

  @Test
  void stepThatLeavesNoState_mayUploadNone() throws Exception {
    StateFixture none = session().caps(new StateCaps(0, 100, 10, 50, 0, 0, false));
    assertThat(run(saving().says('T', new byte[1]), none, PATIENT).end().lost()).isNotNull();
    assertThat(run(saving().says('M', new byte[1]), none, PATIENT).end().lost()).isNotNull();
    ScriptedSandbox silent = saving().says('S', saved(numbers(), numbers())).says('Z', END);
    assertThat(run(silent, none, PATIENT).state()).isEqualTo(StepReport.State.NONE);
  }

  @Test
  void piecesThatCantBeKept_costTheStateAlone() throws Exception {
    StateFixture session = session();
    session.variablePieces.fill("the disk is full");
    ScriptedSandbox sandbox =
        saving()
            .says('T', new byte[1])
            .says('T', new byte[1])
            .says('S', saved(numbers(-1), numbers()))
            .says('Z', END);
    StepReport report = run(sandbox, session, PATIENT);

    assertThat(report.state().unsaved()).contains("the disk is full");
    assertThat(report.verdict()).isNotNull();
    assertThat(report.end().exitCode()).isZero();
  }

  @Test
  void needs_areAnsweredWithPlaces() throws Exception {
    StateFixture session = session().eager(1);
    ScriptedSandbox sandbox =
        new ScriptedSandbox().sees(folder).says('N', numbers(2, 0)).says('A').says('Z', END);
    run(sandbox, session, PATIENT);
    Awaitility.await().until(() -> !sandbox.told('F').isEmpty());

    Fields found = Fields.parse(sandbox.told('F').get(0));
    assertThat(found.texts("placed")).hasSize(2);
    assertThat(found.bytes("placed")).isEqualTo(join(numbers(2), new byte[8], utf8("extent-1")));
    Fields head = Fields.parse(sandbox.told('S').get(0));
    assertThat(head.bytes("placed")).isEqualTo(join(numbers(1), new byte[8], utf8("extent-0")));
    assertThat(folder.resolve("extent-1")).hasSize(2 * PiecesInMemory.PAGE);
    assertThat(session.variablePieces.read()).isEmpty();
  }

  @Test
  void needs_areAnsweredWithBytes_whereNothingCanBePlaced() throws Exception {
    StateFixture session =
        new StateFixture().body("body", utf8("zero"), utf8("one"), utf8("two")).eager(1);
    ScriptedSandbox sandbox = begun().says('N', numbers(2, 0)).says('N', numbers(1)).says('Z', END);
    run(sandbox, session, PATIENT);
    Awaitility.await().until(() -> sandbox.told('F').size() == 2 && tail(sandbox).size() == 5);

    assertThat(tail(sandbox).stream().map(Frame::type)).containsExactly('F', 'D', 'D', 'F', 'D');
    assertThat(Fields.parse(sandbox.told('F').get(0)).number("bytes")).isEqualTo(7);
    assertThat(join(tail(sandbox).get(1).payload(), tail(sandbox).get(2).payload()))
        .isEqualTo(utf8("twozero"));
    assertThat(tail(sandbox).get(4).payload()).isEqualTo(utf8("one"));
    assertThat(Fields.parse(sandbox.told('S').get(0)).bytes("placed")).isNull();
  }

  @Test
  void piecesThatAreGone_areSaidToBe() throws Exception {
    for (Path sees : Arrays.asList(folder, null)) {
      StateFixture session = session();
      session.variablePieces.lose(1);
      ScriptedSandbox sandbox = begun().says('N', numbers(0, 1)).says('Z', END);
      if (sees != null) {
        sandbox.sees(sees);
      }
      run(sandbox, session, PATIENT);
      Awaitility.await().until(() -> !sandbox.told('F').isEmpty());

      assertThat(Fields.parse(sandbox.told('F').get(0)).text("gone"))
          .isEqualTo("piece 1 has expired");
    }
  }

  @Test
  void needOfMoreThanAFrameNames_isAnsweredWithBytes() throws Exception {
    int count = 13_000;
    StateFixture session = new StateFixture();
    session.variablePieces.nameExtents("x".repeat(60));
    session.body(
        "body", IntStream.range(0, count).mapToObj(i -> new byte[1]).toArray(byte[][]::new));
    ScriptedSandbox sandbox =
        begun()
            .sees(Files.createDirectory(folder.resolve("many")))
            .says('N', numbers(IntStream.range(0, count).toArray()))
            .says('Z', END);
    run(sandbox, session, PATIENT);
    Awaitility.await().until(() -> tail(sandbox).size() > count);

    assertThat(Fields.parse(sandbox.told('F').get(0)).number("bytes")).isEqualTo(count);
  }

  @Test
  void wrongNeeds_loseTheSandbox() throws Exception {
    assertThat(lost(begun().says('N'))).contains("a need of nothing");
    assertThat(lost(begun().says('N', numbers(3)))).contains("piece 3 of 3");
    assertThat(lost(begun().says('N', numbers(-1)))).contains("piece -1");
    assertThat(lost(begun().says('N', new byte[5]))).contains("5 bytes");
    assertThat(lost(begun().says('N', numbers(1, 1)))).contains("second need of piece 1");
    assertThat(lost(begun().says('N', numbers(1)).says('N', numbers(1)))).contains("second need");
    assertThat(lost(saving().says('S', saved(numbers(), numbers())).says('N', numbers(0))))
        .contains("a frame N while SAVED");
  }

  @Test
  void needOfWhatWasGivenAtOnce_losesTheSandbox() throws Exception {
    StateFixture session = session().eager(1);
    ScriptedSandbox sandbox = begun().sees(folder).says('N', numbers(1));
    assertThat(run(sandbox, session, PATIENT).end().lost()).contains("second need of piece 1");
  }

  @Test
  void wrongNeedBeforeTheCodeRan_isASandboxFailure() {
    sandbox.says('N', numbers(9));
    assertThatThrownBy(() -> run(session()))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isFalse())
        .hasMessageContaining("piece 9");
  }

  @Test
  void eagerPieceThatCantBeHad_isNoStart() {
    StateFixture session = session().eager(0, 2);
    session.variablePieces.lose(2);
    sandbox.sees(folder);
    assertThatThrownBy(() -> run(session))
        .isInstanceOf(StateUnavailableException.class)
        .hasMessage("piece 2 has expired")
        .hasRootCauseInstanceOf(IOException.class);
    assertThat(sandbox.told()).isEmpty();
  }

  @Test
  void supplyThatBreaks_isAnAnswerAsWell() throws Exception {
    StateFixture session = session();
    StepState broken =
        new StepState(
            session.state().variables(),
            new PieceSupply() {
              @Override
              public List<PlacedPiece> place(List<Integer> indexes, Path into) {
                throw new IllegalStateException("a bug");
              }

              @Override
              public byte[] read(int index) {
                throw new IllegalStateException("a bug");
              }
            },
            PieceSink.NONE,
            List.of(),
            List.of(),
            PieceSupply.NONE,
            PieceSink.NONE,
            CAPS,
            false,
            false);
    ScriptedSandbox sandbox = begun().says('N', numbers(0)).says('Z', END);
    run(sandbox, broken, PATIENT);
    Awaitility.await().until(() -> !sandbox.told('F').isEmpty());

    assertThat(Fields.parse(sandbox.told('F').get(0)).text("gone")).isEqualTo("a bug");
  }

  @Test
  void handOver_tellsTheSizesAndTheCaps_andSendsTheBodyLast() throws Exception {
    StateCaps caps = new StateCaps(1, 2, 3, 4, 5, 6, true);
    ScriptedSandbox sandbox = begun().says('Z', END);
    run(sandbox, session().caps(caps), PATIENT);

    Fields head = Fields.parse(sandbox.told('S').get(0));
    assertThat(head.bytes("pieces")).isEqualTo(numbers(10, 20, 30));
    assertThat(List.of("stateBytes", "newBytes", "components", "manifestBytes", "fileBytes"))
        .map(name -> head.number(name, -1))
        .containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(List.of("files", "strict", "reseed", "reportsFiles", "step", "bodyBytes"))
        .map(name -> head.number(name, -1))
        .containsExactly(6L, 1L, 0L, 0L, 7L, 4L);
    List<byte[]> data = sandbox.told('D');
    assertThat(data).hasSize(2);
    assertThat(Fields.parse(data.get(0)).text("source")).isEqualTo("1");
    assertThat(data.get(0)).hasSize(Math.toIntExact(head.number("taskBytes", 0)));
    assertThat(data.get(1)).isEqualTo(utf8("body"));
  }

  private String lost(ScriptedSandbox sandbox) throws Exception {
    StepReport report = run(sandbox, session(), PATIENT);
    assertThat(report.started()).isTrue();
    return String.valueOf(report.end().lost());
  }

  /** What came after the step. */
  private static List<Frame> tail(ScriptedSandbox sandbox) {
    List<Frame> told = sandbox.told();
    int first = 0;
    while (first < told.size() && told.get(first).type() != 'F') {
      first++;
    }
    return told.subList(first, told.size());
  }
}
