package dev.stepwell.worker.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads each piece from where it is durable; immutable.
 *
 * @param topic the blob topic
 * @param store the object store; null if this worker has none
 */
record DurablePieces(PieceSource topic, @Nullable PieceSource store) implements PieceSource {
  @Override
  public void read(List<Piece> pieces, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    List<Piece> inTopic = new ArrayList<>();
    List<Piece> inStore = new ArrayList<>();
    for (Piece piece : pieces) {
      Location location = piece.location();
      if (location == null) {
        throw new SnapshotException(
            "piece %s was nowhere but in the cache, and is not there any more"
                .formatted(piece.id().hex()),
            null,
            false);
      }
      (location instanceof Location.InTopic ? inTopic : inStore).add(piece);
    }
    if (!inTopic.isEmpty()) {
      topic.read(inTopic, receiver);
    }
    if (inStore.isEmpty()) {
      return;
    }
    if (store == null) {
      throw new SnapshotException(
          "the session's state is in an object store, and this worker has none: the setting"
              + " object.store must be the same for all workers",
          null,
          false);
    }
    store.read(inStore, receiver);
  }
}
