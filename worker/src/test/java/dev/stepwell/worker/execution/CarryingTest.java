package dev.stepwell.worker.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Renewal;
import dev.stepwell.worker.state.Stored;
import dev.stepwell.worker.workspace.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CarryingTest {
  private static final long NOW = 1_000_000;
  private static final long RETENTION = 10_000;
  private static final long YOUNG = NOW - RETENTION / 2;
  private static final long OLD = YOUNG - 1;

  private final List<Piece> renewed = new ArrayList<>();
  private final Carrying carrying =
      new Carrying(
          new Renewal(RETENTION, RETENTION),
          NOW,
          old -> {
            renewed.add(old);
            return new Piece(old.id(), old.bytes(), null);
          });

  private static PieceId id(String name) {
    return PieceId.of(name.getBytes(StandardCharsets.UTF_8));
  }

  private static Location.InTopic place(long writtenAtMs) {
    return new Location.InTopic(0, 5, 1, 0, writtenAtMs);
  }

  private static Piece piece(String name, long writtenAtMs) {
    return new Piece(id(name), 10, place(writtenAtMs));
  }

  private static SessionVariables variables(long writtenAtMs, Piece... pieces) {
    return new SessionVariables(
        new byte[1],
        List.of(pieces),
        List.of(),
        1,
        1,
        "image",
        new Stored(id("variables"), 7, place(writtenAtMs)));
  }

  private static Node.Folder folder(long writtenAtMs, Map<String, Node> children) {
    return new Node.Folder(
        0755, 0, new TreeMap<>(children), new Stored(id("folder"), 7, place(writtenAtMs)));
  }

  private static Node.File file(Piece piece) {
    return new Node.File(0644, 0, piece.bytes(), List.of(piece));
  }

  @Test
  void whatIsYoung_isCarriedOnAsItIs() throws Exception {
    SessionVariables variables = variables(YOUNG, piece("a", YOUNG));
    Node.Folder folder = folder(YOUNG, Map.of("f", file(piece("b", YOUNG))));

    assertThat(carrying.variables(variables)).isSameAs(variables);
    assertThat(carrying.folder(folder)).isSameAs(folder);
    assertThat(renewed).isEmpty();
  }

  @Test
  void oldPiece_isWrittenAgain_andWithItWhatRefersToIt() throws Exception {
    SessionVariables carried =
        carrying.variables(variables(YOUNG, piece("young", YOUNG), piece("old", OLD)));

    assertThat(carried.stored()).isNull();
    assertThat(carried.pieces().get(0).location()).isNotNull();
    assertThat(carried.pieces().get(1).location()).isNull();
    assertThat(renewed).containsExactly(piece("old", OLD));
  }

  @Test
  void oldDescription_isWrittenAgain_withoutItsPieces() throws Exception {
    SessionVariables carried = carrying.variables(variables(OLD, piece("young", YOUNG)));

    assertThat(carried.stored()).isNull();
    assertThat(renewed).isEmpty();
  }

  @Test
  void oldFileDeepDown_isWrittenAgain_withTheFoldersAboveItAndNoOthers() throws Exception {
    Node.Folder aside = folder(YOUNG, Map.of("f", file(piece("b", YOUNG))));
    Node.Folder tree =
        folder(
            YOUNG,
            Map.of("aside", aside, "deep", folder(YOUNG, Map.of("f", file(piece("old", OLD))))));

    Node.Folder carried = carrying.folder(tree);

    assertThat(carried.stored()).isNull();
    assertThat(carried.children().get("deep"))
        .isInstanceOfSatisfying(Node.Folder.class, deep -> assertThat(deep.stored()).isNull());
    assertThat(carried.children().get("aside")).isEqualTo(aside);
    assertThat(renewed).containsExactly(piece("old", OLD));
  }

  @Test
  void pieceInManyPlaces_isReadOnce() throws Exception {
    Piece old = piece("old", OLD);
    carrying.folder(folder(YOUNG, Map.of("a", file(old), "b", file(old))));
    carrying.variables(variables(YOUNG, old));

    assertThat(renewed).containsExactly(old);
  }

  @Test
  void whatIsKeptForEver_isNeverWrittenAgain() throws Exception {
    Carrying lasting =
        new Carrying(
            new Renewal(Renewal.FOREVER, Renewal.FOREVER),
            Long.MAX_VALUE,
            old -> {
              throw new AssertionError("renewed");
            });
    SessionVariables variables = variables(0, piece("a", 0));

    assertThat(lasting.variables(variables)).isSameAs(variables);
  }
}
