package dev.stepwell.worker.execution;

import dev.stepwell.worker.runner.PieceSupply;
import dev.stepwell.worker.runner.PlacedPiece;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.Placement;
import dev.stepwell.worker.state.SnapshotException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Gives a runner the pieces of one table, and no others. Immutable and thread-safe. */
final class TablePieces implements PieceSupply {
  private final Pieces pieces;
  private final List<Piece> table;

  TablePieces(Pieces pieces, List<Piece> table) {
    this.pieces = pieces;
    this.table = table;
  }

  @Override
  public List<PlacedPiece> place(List<Integer> indexes, Path folder)
      throws IOException, InterruptedException {
    try {
      List<Piece> wanted = indexes.stream().map(table::get).toList();
      return pieces.place(wanted, folder).stream().map(TablePieces::placed).toList();
    } catch (SnapshotException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static PlacedPiece placed(Placement placement) {
    return new PlacedPiece(placement.extent(), placement.offset());
  }

  @Override
  public byte[] read(int index) throws IOException, InterruptedException {
    try {
      return pieces.read(table.get(index));
    } catch (SnapshotException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
