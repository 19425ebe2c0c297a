package dev.stepwell.cli.log;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Goes through the lines of a block; used by one thread. */
final class LineCursor {
  private final byte[] lines;
  private int at;

  LineCursor(byte[] lines) {
    this.lines = lines;
  }

  /** The next line without its line feed; null at the end. */
  byte @Nullable [] next() {
    if (at >= lines.length) {
      return null;
    }
    int end = at;
    while (end < lines.length && lines[end] != '\n') {
      end++;
    }
    byte[] line = Arrays.copyOfRange(lines, at, end);
    at = end + 1;
    return line;
  }

  /** How much is read, 0 to 1. */
  double part() {
    return lines.length == 0 ? 1 : Math.min(1, (double) at / lines.length);
  }
}
