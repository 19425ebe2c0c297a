package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RenewalTest {
  private static final Piece NEW = new Piece(PieceId.of(new byte[0]), 1, null);
  private static final Piece IN_TOPIC = NEW.at(new Location.InTopic(0, 0, 1, 0, 1000));
  private static final Piece IN_STORE = NEW.at(new Location.InStore(1000));

  @Test
  void pastHalfOfTheirTime_piecesAreDue() {
    Renewal renewal = new Renewal(200, 400);

    assertThat(renewal.due(List.of(NEW, IN_TOPIC, IN_STORE), 1100)).isEmpty();
    assertThat(renewal.due(List.of(NEW, IN_TOPIC, IN_STORE), 1101)).containsExactly(IN_TOPIC);
    assertThat(renewal.due(List.of(IN_STORE, NEW, IN_TOPIC), 1201))
        .containsExactly(IN_STORE, IN_TOPIC);
  }

  @Test
  void whatIsKeptForEver_isNeverDue() {
    Renewal renewal = new Renewal(Renewal.FOREVER, Renewal.FOREVER);

    assertThat(renewal.due(List.of(NEW, IN_TOPIC, IN_STORE), Long.MAX_VALUE)).isEmpty();
  }
}
