package dev.stepwell.worker.runner;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Pieces for tests: a table that is supplied, and what is taken in. */
final class PiecesInMemory implements PieceSupply, PieceSink {
  static final int PAGE = 4096;

  private final List<byte[]> table = new ArrayList<>();
  private final List<byte[]> taken = new ArrayList<>();
  private final Set<Integer> missing = ConcurrentHashMap.newKeySet();
  private final Set<Integer> placed = ConcurrentHashMap.newKeySet();
  private final Set<Integer> read = ConcurrentHashMap.newKeySet();
  private @Nullable String full;
  private String prefix = "extent-";
  private int extents;

  PiecesInMemory hold(byte[]... pieces) {
    table.addAll(Arrays.asList(pieces));
    return this;
  }

  /** Extents are called this, and a number. */
  void nameExtents(String begin) {
    prefix = begin;
  }

  /** From now on that piece can't be had. */
  void lose(int index) {
    missing.add(index);
  }

  /** From now on nothing more is taken in. */
  void fill(String why) {
    full = why;
  }

  List<byte[]> taken() {
    return taken;
  }

  byte[] joined() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    taken.forEach(all::writeBytes);
    return all.toByteArray();
  }

  List<byte[]> table() {
    return table;
  }

  List<Integer> sizes() {
    return table.stream().map(piece -> piece.length).toList();
  }

  /** The pieces that were placed in a folder. */
  Set<Integer> placed() {
    return placed;
  }

  /** The pieces whose bytes were sent. */
  Set<Integer> read() {
    return read;
  }

  /** The table of what is left when a step has saved. */
  PiecesInMemory after(StepReport.State state) {
    PiecesInMemory next = new PiecesInMemory();
    state.refs().forEach(ref -> next.hold(ref >= 0 ? table.get(ref) : taken.get(~ref)));
    return next;
  }

  /** Every call makes one extent; what is asked for together lies together. */
  @Override
  public synchronized List<PlacedPiece> place(List<Integer> indexes, Path folder)
      throws IOException {
    String name = prefix + extents++;
    List<PlacedPiece> places = new ArrayList<>();
    ByteArrayOutputStream extent = new ByteArrayOutputStream();
    for (int index : indexes) {
      byte[] piece = had(index);
      places.add(new PlacedPiece(name, extent.size()));
      extent.writeBytes(Arrays.copyOf(piece, (piece.length + PAGE - 1) / PAGE * PAGE));
      placed.add(index);
    }
    Files.write(folder.resolve(name), extent.toByteArray());
    return places;
  }

  @Override
  public byte[] read(int index) throws IOException {
    byte[] piece = had(index);
    read.add(index);
    return piece;
  }

  private byte[] had(int index) throws IOException {
    if (missing.contains(index)) {
      throw new IOException("piece " + index + " has expired");
    }
    return table.get(index);
  }

  @Override
  public void add(byte[] bytes, int from, int length) throws IOException {
    if (full != null) {
      throw new IOException(full);
    }
    taken.add(Arrays.copyOfRange(bytes, from, from + length));
  }
}
