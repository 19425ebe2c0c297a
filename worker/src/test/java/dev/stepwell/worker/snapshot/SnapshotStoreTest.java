package dev.stepwell.worker.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.TreeEditor;
import dev.stepwell.worker.workspace.Trees;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // Looks into what it has made itself.
class SnapshotStoreTest {
  private static final long PLENTY = 1 << 20;

  private final MemoryPieces pieces = new MemoryPieces();
  private final MemoryTopic topic = new MemoryTopic();
  private final Random random = new Random(5);

  private SnapshotStore fresh() {
    return new SnapshotStore(topic, PLENTY);
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private SessionVariables variables(String body, Piece... table) {
    return new SessionVariables(
        body.getBytes(UTF_8),
        List.of(table),
        List.of(),
        table.length,
        body.length(),
        "image",
        null);
  }

  private Snapshot commit(
      long step, SessionVariables variables, Node.Folder files, Snapshot previous)
      throws Exception {
    return topic.commit(
        new PendingSnapshot(
            new Making(step, "r-" + step, "COMPLETED", step * 10, 0),
            variables,
            files,
            previous,
            pieces,
            List.of()));
  }

  private Node.Folder files(String path, byte[] content) throws Exception {
    TreeEditor editor = new TreeEditor(Node.Folder.EMPTY);
    editor.putDeep(path, file(content));
    return editor.tree();
  }

  private Node.File file(byte[] content) {
    return new Node.File(0644, 7, content.length, List.of(pieces.add(content)));
  }

  @Test
  void snapshot_isReadBackAsItWasCommitted_withEveryPieceWhereItSays() throws Exception {
    byte[] small = bytes(100);
    byte[] large = bytes(Piece.MAX_BYTES);
    byte[] content = bytes(70_000);
    Snapshot made =
        commit(
            1,
            variables("body", pieces.add(small), pieces.add(large)),
            files("a/b/c.bin", content),
            null);

    Snapshot read = fresh().read(made.stored());

    assertThat(read.id()).isEqualTo(made.id());
    assertThat(read.making()).isEqualTo(made.making());
    assertThat(read.variables().body()).isEqualTo("body".getBytes(UTF_8));
    assertThat(read.variables().image()).isEqualTo("image");
    assertThat(topic.piece(read.variables().pieces().get(0))).isEqualTo(small);
    assertThat(topic.piece(read.variables().pieces().get(1))).isEqualTo(large);
    Node.File file = (Node.File) Trees.find(read.files(), "a/b/c.bin");
    assertThat(topic.piece(file.content().get(0))).isEqualTo(content);
    assertThat(file.mode()).isEqualTo(0644);
    assertThat(read.files()).isEqualTo(made.files());
  }

  @Test
  void bundleOfManyRecords_isReadWhereItsObjectsLie() throws Exception {
    TreeEditor editor = new TreeEditor(Node.Folder.EMPTY);
    byte[][] contents = new byte[60][];
    for (int i = 0; i < contents.length; i++) {
      contents[i] = bytes(50_000);
      editor.putDeep("d" + i % 7 + "/f" + i, file(contents[i]));
    }
    Snapshot made = commit(1, SessionVariables.NONE, editor.tree(), null);
    assertThat(topic.bytesWritten).isGreaterThan(3L * 768 * 1024);

    Snapshot read = fresh().read(made.stored());

    for (int i = 0; i < contents.length; i++) {
      Node.File file = (Node.File) Trees.find(read.files(), "d" + i % 7 + "/f" + i);
      assertThat(topic.piece(file.content().get(0))).isEqualTo(contents[i]);
    }
    // And once more by reference from a later bundle.
    Snapshot next = commit(2, variables("x"), read.files(), read);
    Snapshot again = fresh().read(next.stored());
    Node.File file = (Node.File) Trees.find(again.files(), "d3/f59");
    assertThat(topic.piece(file.content().get(0))).isEqualTo(contents[59]);
  }

  @Test
  void stepThatChangesLittle_writesLittle() throws Exception {
    Snapshot first =
        commit(
            1,
            variables("body", pieces.add(bytes(Piece.MAX_BYTES))),
            files("a/large.bin", bytes(300_000)),
            null);
    long before = topic.bytesWritten;

    commit(2, first.variables(), first.files(), first);

    assertThat(topic.bytesWritten - before).isLessThan(1_000);
  }

  @Test
  void unchangedFolder_keepsItsNameAndPlace() throws Exception {
    TreeEditor editor = new TreeEditor(files("kept/deep/x", bytes(10)));
    editor.putDeep("changed/y", file(bytes(10)));
    Snapshot first = commit(1, SessionVariables.NONE, editor.tree(), null);
    TreeEditor next = new TreeEditor(first.files());
    next.put("changed/y", file(bytes(11)));

    Snapshot second = commit(2, first.variables(), next.tree(), first);

    assertThat(second.files().children().get("kept"))
        .isSameAs(first.files().children().get("kept"));
    assertThat(second.files().stored()).isNotEqualTo(first.files().stored());
    Snapshot read = fresh().read(second.stored());
    assertThat(read.files().children().get("kept")).isEqualTo(first.files().children().get("kept"));
  }

  @Test
  void sameState_hasTheSameName_whereverAndWheneverItWasMade() throws Exception {
    byte[] piece = bytes(1000);
    byte[] content = bytes(1000);
    Snapshot one = commit(1, variables("b", pieces.add(piece)), files("f", content), null);
    Snapshot other = commit(9, variables("b", pieces.add(piece)), files("f", content), one);

    assertThat(other.id()).isEqualTo(one.id());
    assertThat(other.stored().at()).isNotEqualTo(one.stored().at());
    assertThat(commit(9, variables("c", pieces.add(piece)), one.files(), null).id())
        .isNotEqualTo(one.id());
  }

  @Test
  void pendingSnapshot_knowsItsNameBeforeItIsWritten() throws Exception {
    PendingSnapshot pending =
        new PendingSnapshot(
            new Making(1, "r", "COMPLETED", 1, 0),
            variables("b", pieces.add(bytes(9))),
            files("a/b", bytes(5)),
            null,
            pieces,
            List.of());

    assertThat(topic.commit(pending).id()).isEqualTo(pending.id());
    assertThat(pending.newBytes()).isEqualTo(14 + 1);
    assertThat(pending.size().files()).isEqualTo(2);
    assertThat(pending.size().fileBytes()).isEqualTo(5);
  }

  @Test
  void damagedSnapshot_isRefusedForGood() throws Exception {
    Snapshot made = commit(1, variables("body-body-body"), files("f", bytes(5)), null);
    Location.InTopic at = made.variables().stored().at();
    topic.damage(at.offset(), at.start() + 5);

    assertThatThrownBy(() -> fresh().read(made.stored()))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("damaged");
  }

  @Test
  void referenceToAnotherSnapshotsPlace_isRefused() throws Exception {
    Snapshot one = commit(1, variables("one"), Node.Folder.EMPTY, null);
    Snapshot two = commit(2, variables("two"), Node.Folder.EMPTY, one);
    String forged = References.text(one.stored()).replace(one.id(), two.id());

    assertThatThrownBy(() -> fresh().read(References.parse(forged)))
        .isInstanceOf(SnapshotException.class);
    assertThat(References.parse(References.text(two.stored()))).isEqualTo(two.stored());
  }

  @Test
  void textThatIsNoReference_isRefused() {
    for (String text : List.of("", "s1", "s1.1.2.3.4.5.6.zz", "s2.1.2.3.4.5.6." + "a".repeat(64))) {
      assertThatThrownBy(() -> References.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void rememberedSnapshot_isNotReadAgain_andAForgottenOneIs() throws Exception {
    Snapshot made = commit(1, variables("b"), Node.Folder.EMPTY, null);
    SnapshotStore store = fresh();
    store.keep(made);
    store.read(made.stored());
    assertThat(topic.reads).isZero();

    SnapshotStore tiny = new SnapshotStore(topic, 0);
    tiny.keep(made);
    tiny.read(made.stored());
    tiny.read(made.stored());
    assertThat(topic.reads).isEqualTo(2);
  }

  @Test
  void history_reachesBackOverPages() throws Exception {
    Snapshot at = null;
    for (int step = 1; step <= 100; step++) {
      if (step != 50) {
        at = commit(step, variables("b" + step), Node.Folder.EMPTY, at);
      }
    }
    SnapshotStore store = fresh();
    Histories histories = new Histories(store);

    assertThat(histories.list(at.stored(), null, 1000))
        .extracting(entry -> entry.making().step())
        .hasSize(99)
        .doesNotContain(50L)
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(histories.list(at.stored(), 10L, 3))
        .extracting(entry -> entry.making().step())
        .containsExactly(9L, 8L, 7L);
    for (long step : new long[] {1, 2, 33, 49, 51, 99, 100, 200}) {
      HistoryEntry entry = histories.after(at.stored(), step);
      assertThat(entry.making().step()).isEqualTo(Math.min(step, 100));
      assertThat(new String(store.read(entry.at()).variables().body(), UTF_8))
          .isEqualTo("b" + entry.making().step());
    }
    assertThat(histories.after(at.stored(), 50).making().step()).isEqualTo(49);
    assertThat(histories.after(at.stored(), 0)).isNull();
  }

  @Test
  void oldStep_costsFewReads() throws Exception {
    Snapshot at = null;
    for (int step = 1; step <= 320; step++) {
      at = commit(step, variables("b" + step), Node.Folder.EMPTY, at);
    }
    topic.reads = 0;

    new Histories(fresh()).after(at.stored(), 1);

    assertThat(topic.reads).isLessThan(60);
  }
}
