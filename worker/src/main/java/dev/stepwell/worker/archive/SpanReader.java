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

  /**
   * Adds what a span stands for to a digest.
   *
   * @return the first bytes of it, none where it was not read
   */
  byte[] add(Span span, Digest digest)
      throws MarshalException, SnapshotException, InterruptedException {
    digest.add(span.length());
    if (span.isInline()) {
      spend(span.length());
      addParts(span.inline(), 0, span.length(), digest);
      return Arrays.copyOf(span.inline(), Math.min(HEAD_BYTES, span.length()));
    }
    List<Integer> places = span.pieces();
    spend(places.size());
    if (isWhole(span, places)) {
      places.forEach(place -> digest.add(table.get(place).id().hex()));
      return NONE;
    }
    return addRange(span, places, digest);
  }

  /**
   * Adds the pickle that a span stands for to a digest, the addresses in it replaced.
   *
   * @return its first bytes, none where it was not read
   */
  byte[] addPickle(Span span, Digest digest)
      throws MarshalException, SnapshotException, InterruptedException {
    if (span.length() > MAX_PICKLE_BYTES) {
      return add(span, digest);
    }
    byte[] pickle = bytes(span);
    digest.add(PickleAddresses.replaced(pickle));
    return Arrays.copyOf(pickle, Math.min(HEAD_BYTES, pickle.length));
  }

  private byte[] bytes(Span span)
      throws MarshalException, SnapshotException, InterruptedException {
    spend(span.length());
    if (span.isInline()) {
      return span.inline();
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

  private static void addParts(byte[] bytes, int from, int length, Digest digest) {
    for (int at = 0; at < length; at += Piece.MAX_BYTES) {
      MessageDigest part = Digest.sha256();
      part.update(bytes, from + at, Math.min(Piece.MAX_BYTES, length - at));
      digest.add(HexFormat.of().formatHex(part.digest()));
    }
  }

  private byte[] addRange(Span span, List<Integer> places, Digest digest)
      throws MarshalException, SnapshotException, InterruptedException {
    MessageDigest part = Digest.sha256();
    byte[] head = NONE;
    int skip = span.offset();
    int left = span.length();
    int room = Piece.MAX_BYTES;
    for (int place : places) {
      byte[] bytes = read(place);
      int from = Math.min(skip, bytes.length);
      skip -= from;
      int to = Math.min(bytes.length, from + left);
      spend(bytes.length);
      if (head.length == 0) {
        head = Arrays.copyOfRange(bytes, from, Math.min(to, from + HEAD_BYTES));
      }
      while (from < to) {
        int length = Math.min(room, to - from);
        part.update(bytes, from, length);
        from += length;
        left -= length;
        room -= length;
        if (room == 0 || left == 0) {
          digest.add(HexFormat.of().formatHex(part.digest()));
          room = Piece.MAX_BYTES;
        }
      }
    }
    if (left > 0) {
      throw new MarshalException("a span goes on behind its pieces", null);
    }
    return head;
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
