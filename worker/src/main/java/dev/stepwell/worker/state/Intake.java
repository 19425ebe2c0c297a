package dev.stepwell.worker.state;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pieces of one step on their way into one extent. Not thread-safe; others may read what it has
 * taken all the same.
 *
 * <p>A piece that comes twice is written once. One that the cache holds from elsewhere is written
 * all the same, beside its neighbours, and so that nobody learns from the time that it takes what
 * other sessions have.
 */
final class Intake implements NewPieces {
  private static final Logger log = LoggerFactory.getLogger(Intake.class);

  private final ExtentFiles files;
  private final Map<PieceId, Piece> taken = new HashMap<>();
  private @Nullable ExtentWriter writer;
  private long end;
  private boolean closed;

  Intake(ExtentFiles files) {
    this.files = files;
  }

  @Override
  public Piece add(byte[] bytes, int from, int length) throws IOException {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    Objects.checkFromIndexSize(from, length, bytes.length);
    Piece piece = new Piece(PieceId.of(bytes, from, length), length, null);
    Piece before = taken.get(piece.id());
    if (before != null) {
      return before;
    }
    ExtentWriter into = writer;
    if (into == null) {
      into = files.create();
      writer = into;
    }
    files.write(into, end, bytes, from, length);
    files.index().add(piece.id(), new Slot(into.extent(), end, length));
    end = Extent.aligned(end + length);
    taken.put(piece.id(), piece);
    files.trim();
    return piece;
  }

  @Override
  public void close() {
    ExtentWriter ended = writer;
    if (closed || ended == null) {
      closed = true;
      return;
    }
    closed = true;
    try {
      ended.close();
    } catch (IOException e) {
      log.debug("{} did not close", ended.extent().file(), e);
    }
    files.release(ended.extent());
    files.trim();
  }
}
