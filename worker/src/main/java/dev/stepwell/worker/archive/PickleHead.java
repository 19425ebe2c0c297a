package dev.stepwell.worker.archive;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Tells from the first bytes of a component's pickle what its first value is, where they say so for
 * certain. It follows no instruction of a pickle but the ones that begin it. Used by one thread.
 */
final class PickleHead {
  private static final int PROTOCOL = 0x80;
  private static final int FRAME = 0x95;
  private static final int FRAME_BYTES = 8;
  private static final int MEMOIZE = 0x94;
  private static final int SHORT_TEXT = 0x8c;
  private static final int TEXT = 'X';
  private static final int GLOBAL = 0x93;
  private static final int EMPTY_SET = 0x8f;
  private static final int NEW_OBJECT = 0x81;
  private static final int SHORT_BYTES = 'C';
  private static final int BYTES = 'B';
  private static final int BYTE_ARRAY = 0x96;

  private final byte[] bytes;
  private int at;

  private PickleHead(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A word for the first value; null where it isn't certain. */
  static @Nullable String kind(byte[] head) {
    PickleHead pickle = new PickleHead(head);
    try {
      return pickle.begins() ? pickle.value() : null;
    } catch (ArrayIndexOutOfBoundsException e) {
      // It ends before it is certain.
      return null;
    }
  }

  private int next() {
    return bytes[at++] & 0xff;
  }

  private boolean take(int instruction) {
    boolean there = (bytes[at] & 0xff) == instruction;
    at += there ? 1 : 0;
    return there;
  }

  /** A component is a list of its values. */
  private boolean begins() {
    if (!take(PROTOCOL)) {
      return false;
    }
    next();
    if (take(FRAME)) {
      at += FRAME_BYTES;
    }
    if (!take(']')) {
      return false;
    }
    take(MEMOIZE);
    take('(');
    return true;
  }

  private @Nullable String value() {
    return switch (next()) {
      case ']' -> "list";
      case '}' -> "dict";
      case EMPTY_SET -> "set";
      case SHORT_BYTES, BYTES -> "bytes";
      case BYTE_ARRAY -> "bytearray";
      // Longer than what is looked at, so no module's name.
      case TEXT -> "str";
      case SHORT_TEXT -> named();
      default -> null;
    };
  }

  private String text() {
    int length = next();
    if (at + length > bytes.length) {
      throw new ArrayIndexOutOfBoundsException(at + length);
    }
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    take(MEMOIZE);
    return text;
  }

  /** A text alone, or the module and the name of something. */
  private @Nullable String named() {
    String module = text();
    if (!take(SHORT_TEXT)) {
      return bytes[at] == 'a' || bytes[at] == 'e' ? "str" : null;
    }
    String name = text();
    if (!take(GLOBAL)) {
      return null;
    }
    take(MEMOIZE);
    if (module.equals("stepwell_runner.rebuild")) {
      return name.equals("function") ? "function" : null;
    }
    return take(')') && take(NEW_OBJECT) ? name : null;
  }
}
