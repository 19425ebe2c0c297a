package dev.stepwell.worker.state;

import java.util.List;

/**
 * Says which pieces have to be written again, lest they expire while their session lives: those
 * that have spent half of their time. Immutable.
 *
 * @param topicRetentionMs how long the blob topic keeps a record; {@link #FOREVER} for ever
 * @param storeRetentionMs how long the object store keeps an object; {@link #FOREVER} for ever
 */
public record Renewal(long topicRetentionMs, long storeRetentionMs) {
  /** Nothing expires. */
  public static final long FOREVER = -1;

  /** Whether a piece has to be written again when a step carries it on. */
  public boolean due(Piece piece, long nowMs) {
    Location location = piece.location();
    return location != null && due(location, nowMs);
  }

  /** Whether what lies there has to be written again when a step carries it on. */
  public boolean due(Location location, long nowMs) {
    long retentionMs = retentionMs(location);
    return retentionMs >= 0 && nowMs - location.writtenAtMs() > retentionMs / 2;
  }

  /** Whether what lies there may be gone. */
  public boolean expired(Location location, long nowMs) {
    long retentionMs = retentionMs(location);
    return retentionMs >= 0 && nowMs - location.writtenAtMs() > retentionMs;
  }

  private long retentionMs(Location location) {
    return location instanceof Location.InTopic ? topicRetentionMs : storeRetentionMs;
  }

  /** Those of the pieces that have to be written again, in their order. */
  public List<Piece> due(List<Piece> pieces, long nowMs) {
    return pieces.stream().filter(piece -> due(piece, nowMs)).toList();
  }
}
