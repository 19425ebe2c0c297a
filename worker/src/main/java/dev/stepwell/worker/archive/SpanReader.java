package dev.stepwell.worker.archive;

import dev.stepwell.worker.archive.MarshalReader.MarshalException;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.SnapshotException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Digests what spans stand for, wherever it lies: the hashes of its parts of {@link
 * Piece#MAX_BYTES}, which for large ones are the names of their pieces, so that those need not be
 * read. Used by one thread.
 */
final class SpanReader {
  /** Short streams share pieces, a few of which are wanted again and again. */
  private static final int HELD_PIECES = 16;

  /** How much is hashed for one snapshot; only a forged table makes it more than there is. */
  private static final long MAX_BYTES = 1L << 30;

  /** How much of a stream is looked at to tell what it is. */
  static final int HEAD_BYTES = 256;

  /** Larger pickles are compared as they are stored, addresses in them and all. */
  private static final int MAX_PICKLE_BYTES = 4 << 20;

  private static final byte[] NONE = {};

  private final List<Piece> table;
  private final Pieces pieces;
  private final Map<Integer, byte[]> held = new LinkedHashMap<>(HELD_PIECES, 0.75f, true);
  private long bytesLeft = MAX_BYTES;

  SpanReader(List<Piece> table, Pieces pieces) {
    this.table = table;
    this.pieces = pieces;
  }

  /** Adds what a span stands for to a digest. */
  void add(Span span, Digest digest)
      throws MarshalException, SnapshotException, InterruptedException {
    digest.add(span.length());
    List<Integer> places = span.pieces();
    spend(places.size());
    if (isWhole(span, places)) {
      places.forEach(place -> digest.add(table.get(place).id().hex()));
    } else {
      addParts(bytes(span), digest);
    }
  }

  /**
   * Adds the pickle that a span stands for to a digest, the addresses in it replaced.
   *
   * @return its first bytes, none where it was not read
   */
  byte[] addPickle(Span span, Digest digest)
      throws MarshalException, SnapshotException, InterruptedException {
    if (span.length() > MAX_PICKLE_BYTES) {
      add(span, digest);
      return NONE;
    }
    byte[] pickle = bytes(span);
    digest.add(PickleAddresses.replaced(pickle));
    return Arrays.copyOf(pickle, Math.min(HEAD_BYTES, pickle.length));
  }

  private byte[] bytes(Span span) throws MarshalException, SnapshotException, InterruptedException {
    spend(span.length());
    if (span.isInline()) {
      return span.inline();
    }
    if (span.length() > MAX_PICKLE_BYTES) {
      throw new MarshalException("a large span begins within a piece", null);
    }
    byte[] bytes = new byte[span.length()];
    int filled = 0;
    int skip = span.offset();
    for (int place : span.pieces()) {
      byte[] piece = read(place);
      spend(piece.length);
      int from = Math.min(skip, piece.length);
      skip -= from;
      int length = Math.min(piece.length - from, bytes.length - filled);
      System.arraycopy(piece, from, bytes, filled, length);
      filled += length;
    }
    if (filled < bytes.length) {
      throw new MarshalException("a span goes on behind its pieces", null);
    }
    return bytes;
  }

  private void spend(long bytes) throws MarshalException {
    bytesLeft -= bytes;
    if (bytesLeft < 0) {
      throw new MarshalException("it stands for more than " + MAX_BYTES + " bytes", null);
    }
  }

  /** Whether the pieces are just the parts that its bytes would be cut into. */
  private boolean isWhole(Span span, List<Integer> places) {
    long sum = 0;
    for (Iterator<Integer> each = places.iterator(); each.hasNext(); ) {
      int bytes = table.get(each.next()).bytes();
      sum += bytes;
      if (each.hasNext() && bytes != Piece.MAX_BYTES) {
        return false;
      }
    }
    return span.offset() == 0 && sum == span.length();
  }

  private static void addParts(byte[] bytes, Digest digest) {
    for (int at = 0; at < bytes.length; at += Piece.MAX_BYTES) {
      MessageDigest part = Digest.sha256();
      part.update(bytes, at, Math.min(Piece.MAX_BYTES, bytes.length - at));
      digest.add(HexFormat.of().formatHex(part.digest()));
    }
  }

  private byte[] read(int place) throws SnapshotException, InterruptedException {
    byte[] bytes = held.get(place);
    if (bytes == null) {
      bytes = pieces.read(table.get(place));
      held.put(place, bytes);
      if (held.size() > HELD_PIECES) {
        Iterator<byte[]> oldest = held.values().iterator();
        oldest.next();
        oldest.remove();
      }
    }
    return bytes;
  }
}
