package dev.stepwell.worker.state;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One file of the cache: the pieces of one intake or one fetch, each at a multiple of {@link
 * #ALIGNMENT}. What is in {@code pieces}, {@code pins} and {@code weight} belongs to {@link
 * ExtentIndex}, which guards it with its lock.
 */
final class Extent {
  /** What the start of a piece can be mapped at, whatever the machine's pages are. */
  static final int ALIGNMENT = 4096;

  private final String name;
  private final Path file;

  /** The pieces in it, for taking them out of the index when it goes. */
  final List<PieceId> pieces = new ArrayList<>();

  /** How many users it has right now; only an extent without one may go. */
  int pins;

  /** What it counts for in the cache's capacity, bytes. */
  long weight;

  Extent(String name, Path file) {
    this.name = name;
    this.file = file;
  }

  String name() {
    return name;
  }

  Path file() {
    return file;
  }

  /** The first place at or after {@code offset} where a piece may begin. */
  static long aligned(long offset) {
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
