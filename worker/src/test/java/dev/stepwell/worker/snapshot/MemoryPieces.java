package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.NewPieces;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.Placement;
import dev.stepwell.worker.state.SnapshotException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pieces in memory. */
final class MemoryPieces implements Pieces {
  private final Map<PieceId, byte[]> held = new HashMap<>();

  Piece add(byte[] bytes) {
    held.put(PieceId.of(bytes), bytes);
    return new Piece(PieceId.of(bytes), bytes.length, null);
  }

  @Override
  public List<Placement> place(List<Piece> pieces, Path folder) {
    throw new UnsupportedOperationException("no sandbox here");
  }

  @Override
  public byte[] read(Piece piece) throws SnapshotException {
    byte[] bytes = held.get(piece.id());
    if (bytes == null) {
      throw new SnapshotException("no piece " + piece.id(), null, true);
    }
    return bytes;
  }

  @Override
  public NewPieces take() {
    return new NewPieces() {
      @Override
      public Piece add(byte[] bytes, int from, int length) {
        return MemoryPieces.this.add(Arrays.copyOfRange(bytes, from, from + length));
      }

      @Override
      public void close() {}
    };
  }
}
