package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurablePiecesTest {
  private final FakeSource topic = new FakeSource();
  private final FakeSource store = new FakeSource();

  @Test
  void eachPiece_isReadFromWhereItIs() throws Exception {
    Piece inTopic = topic.put(new byte[] {1}).at(new Location.InTopic(0, 0, 1, 0, 0));
    Piece inStore = store.put(new byte[] {2});
    List<Byte> read = new ArrayList<>();

    new DurablePieces(topic, store)
        .read(List.of(inStore, inTopic), (piece, bytes) -> read.add(bytes[0]));

    assertThat(read).containsExactlyInAnyOrder((byte) 1, (byte) 2);
  }

  @Test
  void workerWithoutTheStore_saysWhatToDo() {
    Piece inStore = store.put(new byte[] {2});

    assertThatThrownBy(
            () -> new DurablePieces(topic, null).read(List.of(inStore), (piece, bytes) -> {}))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isFalse())
        .hasMessageContaining("object.store");
  }

  @Test
  void pieceThatIsNowhere_canNotBeHad() {
    Piece lost = new Piece(PieceId.of(new byte[] {3}), 1, null);

    assertThatThrownBy(
            () -> new DurablePieces(topic, store).read(List.of(lost), (piece, bytes) -> {}))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining(lost.id().hex());
  }
}
