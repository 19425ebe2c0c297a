package dev.stepwell.worker.runner;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workspace as a supervisor is told to make it. Owned by one thread.
 *
 * <p>A file's content is runs: of an extent that lies in the sandbox's folder, or of the bytes that
 * follow the listing. Pieces that lie one behind the other are one run.
 */
final class FileListing {
  /** Stands for the bytes that follow. */
  private static final int FOLLOWS = -1;

  /** Names of extents take space in a frame; content in yet more extents follows the listing. */
  private static final int MAX_EXTENTS = 4096;

  private final List<Integer> sizes;
  private final Map<Integer, PlacedPiece> places;
  private final Map<String, Integer> extents = new LinkedHashMap<>();
  private final List<Integer> following = new ArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long followingBytes;

  private record Run(int extent, long offset, long length) {}

  /**
   * Lists {@code state}'s files.
   *
   * @param places where pieces of files lie; the others follow the listing
   * @throws IOException if the files contradict themselves
   */
  FileListing(StepState state, Map<Integer, PlacedPiece> places) throws IOException {
    this.sizes = state.fileSizes();
    this.places = places;
    DataOutputStream out = new DataOutputStream(bytes);
    for (FileEntry entry : state.files()) {
      write(out, entry);
    }
  }

  /** The listing's bytes. */
  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** The names of the extents, in the order that the listing counts them by. */
  List<String> extents() {
    return List.copyOf(extents.keySet());
  }

  /** The pieces that follow the listing, in this order; one may follow several times. */
  List<Integer> following() {
    return following;
  }

  long followingBytes() {
    return followingBytes;
  }

  private void write(DataOutputStream out, FileEntry entry) throws IOException {
    if (entry instanceof FileEntry.Folder folder) {
      start(out, 'd', folder.path());
      out.writeShort(folder.mode());
      out.writeLong(folder.mtimeNs());
    } else if (entry instanceof FileEntry.Plain file) {
      start(out, 'f', file.path());
      out.writeShort(file.mode());
      out.writeLong(file.mtimeNs());
      out.writeLong(file.bytes());
      List<Run> runs = runs(file);
      out.writeInt(runs.size());
      for (Run run : runs) {
        out.writeInt(run.extent());
        out.writeLong(run.offset());
        out.writeInt((int) run.length());
      }
    } else if (entry instanceof FileEntry.Link link) {
      start(out, 'l', link.path());
      text(out, link.target());
    } else {
      throw new IOException("a workspace can't hold what is no file: " + entry);
    }
  }

  private List<Run> runs(FileEntry.Plain file) throws IOException {
    List<Run> runs = new ArrayList<>();
    long total = 0;
    for (int piece : file.pieces()) {
      int size = sizes.get(piece);
      total += size;
      Run next = run(piece, size);
      Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last != null && continues(last, next)) {
        runs.set(
            runs.size() - 1, new Run(last.extent(), last.offset(), last.length() + next.length()));
      } else {
        runs.add(next);
      }
    }
    if (total != file.bytes()) {
      throw new IOException(
          "the file " + file.path() + " of " + file.bytes() + " bytes has pieces of " + total);
    }
    return runs;
  }

  private Run run(int piece, int size) {
    PlacedPiece place = places.get(piece);
    if (place != null && (extents.containsKey(place.extent()) || extents.size() < MAX_EXTENTS)) {
      int extent = extents.computeIfAbsent(place.extent(), unused -> extents.size());
      return new Run(extent, place.offset(), size);
    }
    following.add(piece);
    followingBytes += size;
    return new Run(FOLLOWS, 0, size);
  }

  private static boolean continues(Run last, Run next) {
    return last.extent() == next.extent()
        && last.length() + next.length() <= Integer.MAX_VALUE
        && (last.extent() == FOLLOWS || last.offset() + last.length() == next.offset());
  }

  private static void start(DataOutputStream out, char type, String path) throws IOException {
    out.writeByte(type);
    text(out, path);
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > 0xffff) {
      throw new IOException("a path of " + utf8.length + " bytes");
    }
    out.writeShort(utf8.length);
    out.write(utf8);
  }
}
