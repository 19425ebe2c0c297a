package dev.stepwell.cli.eval;

import dev.stepwell.protocol.ExecutionResult;
import org.jspecify.annotations.Nullable;

/** Cuts what is too long to be kept of every task. */
final class Excerpt {
  private static final int OUTPUT_BYTES = 2 << 10;
  private static final int CODE_CHARACTERS = 4 << 10;
  private static final String LEFT_OUT = "...";

  private Excerpt() {}

  /**
   * The end of what a step printed, where the reason mostly stands: of its standard output, then of
   * its standard error, then of its traceback; at most 2 KiB. Null where it printed nothing.
   */
  static @Nullable String output(@Nullable ExecutionResult result) {
    if (result == null) {
      return null;
    }
    String traceback = result.exception() == null ? "" : result.exception().traceback();
    String all = result.stdout() + result.stderr() + (traceback == null ? "" : traceback);
    return all.isEmpty() ? null : end(all);
  }

  /** The beginning of what runs. */
  static String code(String code) {
    if (code.length() <= CODE_CHARACTERS) {
      return code;
    }
    boolean splits = Character.isHighSurrogate(code.charAt(CODE_CHARACTERS - 1));
    return code.substring(0, splits ? CODE_CHARACTERS - 1 : CODE_CHARACTERS) + LEFT_OUT;
  }

  private static String end(String text) {
    int bytes = 0;
    int from = text.length();
    while (from > 0) {
      int codePoint = text.codePointBefore(from);
      bytes += utf8Bytes(codePoint);
      if (bytes > OUTPUT_BYTES) {
        return LEFT_OUT + text.substring(from);
      }
      from -= Character.charCount(codePoint);
    }
    return text;
  }

  private static int utf8Bytes(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
