package dev.stepwell.worker.archive;

import dev.stepwell.worker.archive.MarshalReader.MarshalException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where bytes of a table are: the bytes themselves, or a range of pieces; not to be changed.
 *
 * @param inline the bytes, if they stand in the table
 * @param runs the places of the pieces in their table, if they don't: first, count, first, count
 * @param offset where it begins in the first of them, bytes
 * @param length how many bytes it is
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Span(byte[] inline, List<Integer> runs, int offset, int length) {
  private static final byte[] NONE = {};

  /**
   * Reads one.
   *
   * @param count how many pieces there are
   * @throws MarshalException if it is none
   */
  static Span of(Plain plain, int count) throws MarshalException {
    if (plain instanceof Plain.Binary binary) {
      return new Span(binary.value(), List.of(), 0, binary.value().length);
    }
    List<Plain> parts = TableReader.tuple(plain);
    if (parts.size() != 3) {
      throw new MarshalException("a span of " + parts.size() + " parts", null);
    }
    List<Integer> runs = new ArrayList<>();
    for (Plain each : TableReader.tuple(parts.get(0))) {
      runs.add(TableReader.integer(each));
    }
    int left = count;
    for (int i = 0; i + 1 < runs.size(); i += 2) {
      int first = runs.get(i);
      int size = runs.get(i + 1);
      if (first < 0 || size < 0 || size > left || first > count - size) {
        throw new MarshalException("a span of pieces that there aren't", null);
      }
      left -= size;
    }
    int offset = TableReader.integer(parts.get(1));
    int length = TableReader.integer(parts.get(2));
    if (offset < 0 || length < 0) {
      throw new MarshalException("a span of less than nothing", null);
    }
    return new Span(NONE, List.copyOf(runs), offset, length);
  }

  boolean isInline() {
    return runs.isEmpty();
  }

  /** The places of the pieces; at most as many as there are in all. */
  List<Integer> pieces() {
    List<Integer> pieces = new ArrayList<>();
    for (int i = 0; i + 1 < runs.size(); i += 2) {
      for (int each = 0; each < runs.get(i + 1); each++) {
        pieces.add(runs.get(i) + each);
      }
    }
    return pieces;
  }
}
