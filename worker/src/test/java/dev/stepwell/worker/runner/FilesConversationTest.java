package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.sandbox.SandboxException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a workspace, whatever the sandbox says of it. */
@Timeout(120) // Ends a test that hangs; nothing here depends on it.
class FilesConversationTest extends StateHarness {
  private static final long SEED = 20_261_120;
  private static final int PIECE = Piecework.MAX_PIECE_BYTES;
  private static final StateCaps CAPS =
      new StateCaps(1000, 3L * PIECE, 10, 50, 2L * PIECE, 4, false);
  private static final byte[] END = new Fields.Writer().add("exitCode", 0).payload();

  @TempDir private Path folder;

  private static StateFixture session() {
    return new StateFixture().caps(CAPS).file("old", utf8("old")).reportsFiles();
  }

  private static byte[] text(String text) {
    byte[] utf8 = utf8(text);
    return join(new byte[] {(byte) (utf8.length >> 8), (byte) utf8.length}, utf8);
  }

  private static byte[] entry(char type, String path, byte[]... rest) {
    return join(new byte[] {(byte) type}, text(path), join(rest));
  }

  private static byte[] mode(int mode) {
    return ByteBuffer.allocate(10).putShort((short) mode).putLong(-5).array();
  }

  private static byte[] file(String path, int mode, long bytes, int pieces) {
    byte[] sizes = ByteBuffer.allocate(12).putLong(bytes).putInt(pieces).array();
    return entry('f', path, mode(mode), sizes);
  }

  @Test
  void changes_areTakenWithTheirContent() throws Exception {
    StateFixture session = session();
    ScriptedSandbox sandbox =
        saving()
            .says('W')
            .says('C', new byte[PIECE])
            .says('C', new byte[] {1, 2})
            .says('W', join(file("a", 0640, PIECE + 2L, 2), file("e", 0, 0, 0)))
            .says('C', new byte[] {3})
            .says(
                'W',
                join(
                    entry('d', "d", mode(0777)),
                    file("d/ü\n", 0777, 1, 1),
                    entry('x', "old"),
                    entry('!', "\\xff", text("file"), text("why"))))
            .says('Z', "exitCode", "0", "refused", "17");
    StepReport.Files files = Objects.requireNonNull(run(sandbox, session, PATIENT).files());

    assertThat(files.failed()).isNull();
    assertThat(files.refused()).isEqualTo(17);
    assertThat(files.changes())
        .containsExactly(
            new FileEntry.Plain("a", 0640, -5, PIECE + 2L, List.of(0, 1)),
            new FileEntry.Plain("e", 0, -5, 0, List.of()),
            new FileEntry.Folder("d", 0777, -5),
            new FileEntry.Plain("d/ü\n", 0777, -5, 1, List.of(2)),
            new FileEntry.Removed("old"),
            new FileEntry.Refused("\\xff", "file", "why"));
    assertThat(session.filePieces.taken()).hasSize(3);
  }

  @Test
  void filesAreTold_howeverTheStepCameToItsEnd() throws Exception {
    byte[] link = entry('l', "l", text("/etc/passwd"));
    for (ScriptedSandbox sandbox :
        List.of(begun(), saving(), saving().says('S', "kept", "0"), saving().says('M'))) {
      StepReport report = run(sandbox.says('W', link).says('Z', END), session(), PATIENT);

      assertThat(Objects.requireNonNull(report.files()).changes())
          .containsExactly(new FileEntry.Link("l", "/etc/passwd"));
    }
  }

  @Test
  void filesThatWereNotTold_areNone() throws Exception {
    assertThat(run(begun().says('Z', END), session(), PATIENT).files()).isNull();
    assertThat(run(begun().says('W').says('Z', END), session(), PATIENT).files())
        .isEqualTo(new StepReport.Files(List.of(), 0, null));
  }

  @Test
  void filesThatCouldNotBeTold_areNone_whateverWasTold() throws Exception {
    ScriptedSandbox sandbox =
        begun()
            .says('C', new byte[3])
            .says('W', entry('x', "old"))
            .says('Z', "exitCode", "0", "filesFailed", "no room");
    StepReport report = run(sandbox, session(), PATIENT);

    assertThat(report.files()).isEqualTo(new StepReport.Files(List.of(), 0, "no room"));
    assertThat(report.end().exitCode()).isZero();
  }

  @Test
  void contentThatCantBeKept_costsTheFilesAlone() throws Exception {
    StateFixture session = session();
    session.filePieces.fill("the disk is full");
    ScriptedSandbox sandbox =
        saving().says('C', new byte[1]).says('W', file("a", 0, 1, 1)).says('Z', END);
    StepReport report = run(sandbox, session, PATIENT);

    StepReport.Files files = Objects.requireNonNull(report.files());
    assertThat(files.failed()).contains("the disk is full");
    assertThat(files.changes()).isEmpty();
    assertThat(report.end().lost()).isNull();
  }

  @Test
  void wrongPaths_loseTheSandbox() throws Exception {
    for (String path :
        List.of(
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "a/./b",
            "../a",
            "a/..",
            "a\0",
            "n".repeat(256),
            "ü".repeat(128),
            "d/".repeat(64) + "f",
            ("n".repeat(255) + "/").repeat(16) + "n")) {
      for (byte[] entry :
          List.of(
              entry('x', path),
              entry('d', path, mode(0)),
              file(path, 0, 0, 0),
              entry('l', path, text("t")))) {
        assertThat(lost(begun().says('W', entry))).as("path '%s'", path).contains("path");
      }
    }
    byte[] noUtf8 = join(new byte[] {'x', 0, 1}, new byte[] {(byte) 0xff});
    assertThat(lost(begun().says('W', noUtf8))).contains("UTF-8");
    byte[] halfPair = {'x', 0, 3, (byte) 0xed, (byte) 0xa0, (byte) 0x80};
    assertThat(lost(begun().says('W', halfPair))).contains("UTF-8");
  }

  @Test
  void pathsAtTheirBounds_areTaken() throws Exception {
    String deep = "d/".repeat(63) + "f";
    String wide = "n".repeat(255);
    ScriptedSandbox sandbox =
        begun().says('W', join(file(deep, 0, 0, 0), file(wide, 0, 0, 0))).says('Z', END);
    assertThat(Objects.requireNonNull(run(sandbox, session(), PATIENT).files()).changes())
        .map(FileEntry::path)
        .containsExactly(deep, wide);
  }

  @Test
  void wrongEntries_loseTheSandbox() throws Exception {
    Map<String, byte[]> wrong =
        Map.of(
            "an entry of type", entry('q', "a"),
            "a mode of 1000", file("a", 01000, 0, 0),
            "a mode of 4755", entry('d', "a", mode(04755)),
            "a second word", join(entry('d', "a", mode(0)), file("a", 0, 0, 0)),
            "a link to nowhere", entry('l', "a", text("")),
            "removed entries", join(entry('x', "a"), entry('x', "b")),
            "more entries", manyFolders(5),
            "refused entries", manyRefused(201));
    for (Map.Entry<String, byte[]> each : wrong.entrySet()) {
      assertThat(lost(begun().says('W', each.getValue()))).contains(each.getKey());
    }
  }

  @Test
  void entriesThatAreCut_loseTheSandbox() throws Exception {
    for (byte[] whole :
        List.of(
            file("abc", 0644, 0, 0),
            entry('d', "abc", mode(0)),
            entry('l', "abc", text("def")),
            entry('!', "abc", text("d"), text("e")))) {
      for (int size = 1; size < whole.length; size++) {
        byte[] cut = Arrays.copyOf(whole, size);
        assertThat(lost(begun().says('W', cut))).contains("beyond its frame");
      }
    }
  }

  @Test
  void contentThatDoesNotAddUp_losesTheSandbox() throws Exception {
    assertThat(lost(piece(1).says('W', file("a", 0, 2, 1)))).contains("don't make up");
    assertThat(lost(piece(1).says('W', file("a", 0, 1, 0)))).contains("with 0 pieces");
    assertThat(lost(piece(1).says('W', file("a", 0, 0, 1)))).contains("with 1 pieces");
    assertThat(lost(piece(1).says('W', file("a", 0, -1, 1)))).contains("-1 bytes");
    assertThat(lost(piece(1).says('W', file("a", 0, Long.MIN_VALUE, 1)))).contains("pieces");
    assertThat(lost(piece(1).says('W', file("a", 0, Long.MAX_VALUE, 1)))).contains("pieces");
    assertThat(lost(begun().says('W', file("a", 0, 1, 1)))).contains("with 1 pieces");
    assertThat(lost(piece(1).says('C', new byte[PIECE]).says('W', file("a", 0, PIECE + 1L, 2))))
        .contains("don't make up");
    assertThat(lost(piece(1).says('Z', END))).contains("content of no file");
  }

  @Test
  void contentOverItsBounds_losesTheSandbox() throws Exception {
    assertThat(lost(begun().says('C'))).contains("a piece of 0 bytes");
    assertThat(lost(piece(PIECE + 1))).contains("a piece of");
    assertThat(
            lost(
                piece(PIECE)
                    .says('C', new byte[PIECE])
                    .says('C', new byte[PIECE])
                    .says('C', new byte[1])))
        .contains("bytes that may be new");
    byte[] large = join(file("a", 0, 2L * PIECE, 2), file("b", 0, 1, 1));
    assertThat(
            lost(piece(PIECE).says('C', new byte[PIECE]).says('C', new byte[1]).says('W', large)))
        .contains("bytes of files");
    ScriptedSandbox crumbs = begun();
    for (int i = 0; i < 8; i++) {
      crumbs.says('C', new byte[1]);
    }
    assertThat(lost(crumbs)).contains("pieces of files");
  }

  @Test
  void filesOutOfTurn_loseTheSandbox() throws Exception {
    for (char type : new char[] {'A', 'O', 'E', 'V', 'N', 'T', 'M', 'S'}) {
      assertThat(lost(begun().says('W').says(type))).contains("a frame " + type + " while FILES");
    }
    StateFixture silent = new StateFixture().caps(CAPS);
    assertThat(run(begun().says('W'), silent, PATIENT).end().lost()).contains("nobody asked");
    assertThat(run(begun().says('C', new byte[1]), silent, PATIENT).end().lost())
        .contains("nobody asked");
  }

  @Test
  void filesBeforeTheCodeRan_areASandboxFailure() {
    assertThatThrownBy(() -> run(new ScriptedSandbox().says('W'), session(), PATIENT))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("a frame W while RESTORING");
  }

  @Test
  void tellingWithoutEnd_isEndedAndKeepsTheVerdict() throws Exception {
    ScriptedSandbox sandbox = saving().says('W');
    StepReport report =
        run(sandbox, session(), new RunnerTimeouts(NEVER_MS, NEVER_MS, NEVER_MS, 1, 1));

    assertThat(report.end().killedBy()).isEqualTo(KilledBy.SAVE_LIMIT);
    assertThat(report.verdict()).isNotNull();
    assertThat(report.files()).isNull();
    assertThat(sandbox.isDestroyed()).isTrue();
  }

  @Test
  void randomEntries_alwaysEndTyped() throws Exception {
    Random random = new Random(SEED);
    byte[] types = utf8("dflx!q");
    for (int round = 0; round < 500; round++) {
      byte[] payload = new byte[1 + random.nextInt(60)];
      random.nextBytes(payload);
      payload[0] = types[random.nextInt(types.length)];
      payload[1 % payload.length] = 0;
      ScriptedSandbox sandbox = piece(1).says('W', payload).says('Z', END);
      StepReport report = run(sandbox, session(), PATIENT);

      assertThat(report.started()).isTrue();
      assertThat(report.end().lost() != null || report.files() != null).isTrue();
    }
  }

  @Test
  void listing_namesPlaces_andRunsThatLieTogetherAreOne() throws Exception {
    byte[] large = new byte[2 * PIECE + 3];
    StateFixture session =
        new StateFixture()
            .folder("d")
            .file("d/large", large)
            .link("d/l", "large")
            .file("e", new byte[0])
            .reportsFiles();
    ScriptedSandbox sandbox = begun().sees(folder).says('Z', END);
    run(sandbox, session, PATIENT);

    Fields head = Fields.parse(sandbox.told('S').get(0));
    byte[] run =
        ByteBuffer.allocate(28)
            .putLong(large.length)
            .putInt(1)
            .putInt(0)
            .putLong(0)
            .putInt(large.length)
            .array();
    byte[] expected =
        join(
            entry('d', "d", times(0755, 1_700_000_000_123_456_789L)),
            entry('f', "d/large", times(0644, 1_600_000_000_000_000_001L), run),
            entry('l', "d/l", text("large")),
            entry('f', "e", times(0644, 1_600_000_000_000_000_001L), new byte[12]));
    assertThat(sandbox.told('D').get(0)).isEqualTo(expected);
    assertThat(head.number("treeBytes", 0)).isEqualTo(expected.length);
    assertThat(head.number("treeDataBytes", -1)).isZero();
    assertThat(head.texts("extent")).containsExactly("extent-0");
    assertThat(head.number("reportsFiles", 0)).isEqualTo(1);
  }

  @Test
  void listing_isFollowedByContent_whereNothingCanBePlaced() throws Exception {
    StateFixture session =
        new StateFixture().file("a", utf8("first")).file("b", new byte[PIECE + 1]);
    ScriptedSandbox sandbox = begun().says('Z', END);
    run(sandbox, session, PATIENT);

    Fields head = Fields.parse(sandbox.told('S').get(0));
    List<byte[]> data = sandbox.told('D');
    assertThat(head.number("treeDataBytes", 0)).isEqualTo(5 + PIECE + 1);
    assertThat(head.texts("extent")).isEmpty();
    assertThat(data.get(1)).isEqualTo(utf8("first"));
    assertThat(join(data.get(2), data.get(3))).hasSize(PIECE + 1);
    assertThat(ByteBuffer.wrap(data.get(0)).getInt(data.get(0).length - 16)).isEqualTo(-1);
  }

  @Test
  void fileWhosePiecesAreGone_isNoStart() {
    StateFixture session = session();
    session.filePieces.lose(0);
    for (ScriptedSandbox each :
        List.of(new ScriptedSandbox(), new ScriptedSandbox().sees(folder))) {
      assertThatThrownBy(() -> run(each, session, PATIENT))
          .isInstanceOf(StateUnavailableException.class)
          .hasMessage("piece 0 has expired");
    }
  }

  @Test
  void listingThatContradictsItself_isNoStart() {
    StepState state = session().state();
    StepState wrong =
        new StepState(
            state.variables(),
            state.pieces(),
            state.newPieces(),
            List.of(new FileEntry.Plain("old", 0, 0, 99, List.of(0))),
            state.fileSizes(),
            state.filePieces(),
            state.newContent(),
            CAPS,
            true,
            false);
    assertThatThrownBy(() -> run(sandbox, wrong, PATIENT))
        .isInstanceOf(StateUnavailableException.class)
        .hasMessageContaining("99 bytes");
  }

  private static byte[] times(int mode, long mtimeNs) {
    return ByteBuffer.allocate(10).putShort((short) mode).putLong(mtimeNs).array();
  }

  private static byte[] manyFolders(int count) {
    byte[] all = new byte[0];
    for (int i = 0; i < count; i++) {
      all = join(all, entry('d', "d" + i, mode(0)));
    }
    return all;
  }

  private static byte[] manyRefused(int count) {
    byte[] all = new byte[0];
    for (int i = 0; i < count; i++) {
      all = join(all, entry('!', "p", text("fifo"), text("why")));
    }
    return all;
  }

  private static ScriptedSandbox piece(int bytes) {
    return begun().says('C', new byte[bytes]);
  }

  private String lost(ScriptedSandbox in) throws Exception {
    StepReport report = run(in.ends(), session(), PATIENT);
    assertThat(report.started()).isTrue();
    return String.valueOf(report.end().lost());
  }
}
