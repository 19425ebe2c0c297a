package dev.stepwell.protocol.codec;

/** Finds and mends halves of surrogate pairs, which Java and JSON can hold and UTF-8 can't. */
final class Surrogates {
  private static final char REPLACEMENT = '\ufffd';

  private Surrogates() {}

  /** The index of the first half without its other half, from {@code start} on, or -1. */
  static int firstBroken(String text, int start) {
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
        i++;
      } else {
        return i;
      }
    }
    return -1;
  }

  /** The text with U+FFFD for every half without its other half. */
  static String mended(String text) {
    int broken = firstBroken(text, 0);
    if (broken < 0) {
      return text;
    }
    StringBuilder mended = new StringBuilder(text);
    for (; broken >= 0; broken = firstBroken(text, broken + 1)) {
      mended.setCharAt(broken, REPLACEMENT);
    }
    return mended.toString();
  }
}
