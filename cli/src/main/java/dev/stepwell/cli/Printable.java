package dev.stepwell.cli;

/** Makes what a sandbox put out harmless for a terminal. */
final class Printable {
  private Printable() {}

  /**
   * The text with its control characters in caret notation, tabs apart: a step must not be able to
   * move the cursor, set the title, or answer for the person at the keyboard.
   */
  static String of(String line) {
    StringBuilder printable = new StringBuilder(line.length());
    line.codePoints()
        .forEach(
            point -> {
              if (point == '\t' || !Character.isISOControl(point)) {
                printable.appendCodePoint(point);
              } else if (point < ' ') {
                printable.append('^').append((char) (point + '@'));
              } else {
                printable.append("\\x%02x".formatted(point));
              }
            });
    return printable.toString();
  }
}
