package dev.stepwell.worker.state;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Pieces in memory, which a test puts there, spoils, takes away and holds back. Thread-safe. */
final class FakeSource implements PieceSource {
  private final Map<PieceId, byte[]> stored = new ConcurrentHashMap<>();
  private final Map<PieceId, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** Stores bytes and says where. */
  Piece put(byte[] bytes) {
    Piece piece = new Piece(PieceId.of(bytes), bytes.length, new Location.InStore(0));
    stored.put(piece.id(), bytes);
    return piece;
  }

  /** Makes a piece be something else. */
  void spoil(Piece piece, byte[] bytes) {
    stored.put(piece.id(), bytes);
  }

  void remove(Piece piece) {
    stored.remove(piece.id());
  }

  /** Lets no read go on until the latch opens. */
  CountDownLatch hold() {
    gate = new CountDownLatch(1);
    return gate;
  }

  /** Lets no read of this piece go on until the latch opens. */
  CountDownLatch holdBefore(Piece piece) {
    CountDownLatch latch = new CountDownLatch(1);
    gates.put(piece.id(), latch);
    return latch;
  }

  /** How many pieces were read. */
  int reads() {
    return reads.get();
  }

  @Override
  public void read(List<Piece> pieces, Receiver receiver)
      throws SnapshotException, IOException, InterruptedException {
    gate.await();
    for (int i = pieces.size() - 1; i >= 0; i--) {
      Piece piece = pieces.get(i);
      gates.getOrDefault(piece.id(), gate).await();
      reads.incrementAndGet();
      byte[] bytes = stored.get(piece.id());
      if (bytes == null) {
        throw new SnapshotException("gone", null, true);
      }
      receiver.take(piece, bytes);
    }
  }
}
