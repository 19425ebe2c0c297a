package dev.stepwell.worker.archive;

import dev.stepwell.worker.state.NewPieces;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.Placement;
import dev.stepwell.worker.state.SnapshotException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The pieces that somebody outside gives, checked; as thread-safe as that one. */
final class SuppliedPieces implements Pieces {
  private final PieceSupply supply;

  SuppliedPieces(PieceSupply supply) {
    this.supply = supply;
  }

  @Override
  public byte[] read(Piece piece) throws SnapshotException, InterruptedException {
    byte[] bytes;
    try {
      bytes = supply.piece(piece.id().hex());
    } catch (IOException e) {
      throw new SnapshotException(
          "piece %s can't be read: %s".formatted(piece.id().hex(), e.getMessage()), e, false);
    }
    if (bytes == null) {
      throw new SnapshotException("piece " + piece.id().hex() + " isn't there", null, true);
    }
    if (bytes.length != piece.bytes() || !PieceId.of(bytes).equals(piece.id())) {
      throw new SnapshotException(
          "what is given for piece " + piece.id().hex() + " is something else", null, true);
    }
    return bytes;
  }

  @Override
  public List<Placement> place(List<Piece> pieces, Path folder) {
    throw new UnsupportedOperationException("no sandbox is here");
  }

  @Override
  public NewPieces take() {
    throw new UnsupportedOperationException("no sandbox is here");
  }
}
