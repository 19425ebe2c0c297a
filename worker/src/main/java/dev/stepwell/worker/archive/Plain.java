package dev.stepwell.worker.archive;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A plain Python value; not to be changed once made. */
sealed interface Plain {
  /** {@code None}, {@code True} and {@code False}. */
  enum Constant implements Plain {
    NONE("None"),
    TRUE("True"),
    FALSE("False");

    private final String text;

    Constant(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** An {@code int}. */
  record Whole(BigInteger value) implements Plain {}

  /** A {@code float}. */
  record Real(double value) implements Plain {}

  /** A {@code complex}. */
  record Complex(double real, double imaginary) implements Plain {}

  /**
   * A {@code str}.
   *
   * @param utf8 its characters in UTF-8; lone surrogates as three bytes, as Python has them
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a record.
  record Text(byte[] utf8) implements Plain {
    /** Its characters; those that are no text replaced. */
    String text() {
      return new String(utf8, StandardCharsets.UTF_8);
    }
  }

  /** A {@code bytes}. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a record.
  record Binary(byte[] value) implements Plain {}

  /** A {@code tuple}. */
  record Tuple(List<Plain> items) implements Plain {}

  /** A {@code list}. */
  record Sequence(List<Plain> items) implements Plain {}

  /** A {@code dict} in its order. */
  record Mapping(List<Entry> entries) implements Plain {}

  /** A key with its value. */
  record Entry(Plain key, Plain value) {}
}
