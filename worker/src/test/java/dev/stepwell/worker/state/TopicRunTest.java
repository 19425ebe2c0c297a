package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopicRunTest {
  private static int last;

  @Test
  void neighbours_areOneRun() {
    assertThat(TopicRun.of(List.of(at(0, 12, 1), at(0, 10, 2), at(0, 10, 1))))
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.first()).isEqualTo(10);
              assertThat(run.end()).isEqualTo(13);
              assertThat(run.pieces()).hasSize(3);
            });
  }

  @Test
  void transactionMarkerBetweenThem_doesNotPartThem() {
    assertThat(TopicRun.of(List.of(at(0, 10, 1), at(0, 12, 1)))).hasSize(1);
  }

  @Test
  void whatLiesFarApart_isReadApart() {
    assertThat(TopicRun.of(List.of(at(0, 100, 1), at(0, 10, 1), at(1, 11, 1))))
        .extracting(TopicRun::partition, TopicRun::first, TopicRun::end)
        .containsExactly(tuple(0, 10L, 11L), tuple(0, 100L, 101L), tuple(1, 11L, 12L));
  }

  @Test
  void longPiece_keepsItsRunOpen() {
    assertThat(TopicRun.of(List.of(at(0, 10, 50), at(0, 11, 1), at(0, 55, 1))))
        .singleElement()
        .extracting(TopicRun::end)
        .isEqualTo(60L);
  }

  @Test
  void piece_isPutTogetherFromSeveralRecords() throws SnapshotException {
    PieceAssembly assembly = new PieceAssembly(piece(5, new Location.InTopic(0, 7, 3, 2, 0)));

    assertThat(assembly.take(7, new byte[] {0})).isFalse();
    assertThat(assembly.take(8, new byte[] {0, 1, 2})).isFalse();
    assertThat(assembly.take(9, new byte[] {3, 4, 5, 9})).isTrue();
    assertThat(assembly.handOver()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void missingOrShortRecords_areDamage() throws SnapshotException {
    PieceAssembly skipped = new PieceAssembly(piece(5, new Location.InTopic(0, 7, 2, 0, 0)));
    assertThatThrownBy(() -> skipped.take(8, new byte[9])).satisfies(TopicRunTest::isForGood);

    PieceAssembly cut = new PieceAssembly(piece(5, new Location.InTopic(0, 7, 2, 0, 0)));
    assertThat(cut.take(7, new byte[2])).isFalse();
    assertThatThrownBy(() -> cut.take(8, new byte[2])).satisfies(TopicRunTest::isForGood);
  }

  private static void isForGood(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue());
  }

  private static Piece at(int partition, long offset, int records) {
    return piece(1, new Location.InTopic(partition, offset, records, 0, 0));
  }

  private static Piece piece(int bytes, Location location) {
    return new Piece(PieceId.of(new byte[] {(byte) last++, (byte) (last >> 8)}), bytes, location);
  }
}
