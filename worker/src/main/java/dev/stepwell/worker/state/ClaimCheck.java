package dev.stepwell.worker.state;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides where the new pieces of a step become durable: small ones in the step's transaction, in
 * the blob topic; large ones in the object store before it, so that the transaction carries but
 * their names. Thread-safe.
 */
public final class ClaimCheck {
  private final Pieces cache;
  private final @Nullable StorePieces store;
  private final long limitBytes;
  private final Clock clock;

  ClaimCheck(Pieces cache, @Nullable StorePieces store, long limitBytes, Clock clock) {
    this.cache = cache;
    this.store = store;
    this.limitBytes = limitBytes;
    this.clock = clock;
  }

  /**
   * Writes the pieces to the object store if there is one and together they are more than the
   * limit. Blocks meanwhile.
   *
   * @param pieces readable from the cache, which an open {@link NewPieces} sees to, or from where
   *     they are durable so far, when they are renewed
   * @return the pieces in the same order: all of them in the object store; or none of them with a
   *     location, so that the transaction has to carry them
   * @throws SnapshotException if the object store can't take them; some may be there, which does no
   *     harm
   */
  public List<Piece> settle(List<Piece> pieces) throws SnapshotException, InterruptedException {
    Map<PieceId, Piece> distinct = new LinkedHashMap<>();
    pieces.forEach(piece -> distinct.put(piece.id(), piece));
    long bytes = distinct.values().stream().mapToLong(Piece::bytes).sum();
    if (store == null || bytes <= limitBytes) {
      return pieces.stream().map(piece -> new Piece(piece.id(), piece.bytes(), null)).toList();
    }
    // Taken before, so that an object is never younger than it is said to be.
    Location location = new Location.InStore(clock.millis());
    store.write(List.copyOf(distinct.values()), cache::read);
    return pieces.stream().map(piece -> piece.at(location)).toList();
  }
}
