package dev.stepwell.protocol;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The validation rules that several messages share. Every violation names its field. */
final class Checks {
  private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]{1,128}");
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern REFERENCE = Pattern.compile("[\\x21-\\x7e]{1,512}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  private Checks() {}

  static InvalidMessageException invalid(String field, String problem) {
    return new InvalidMessageException(ErrorCode.INVALID_FIELD, field, field + " " + problem);
  }

  static void id(String field, @Nullable String value) {
    if (value == null || !ID.matcher(value).matches()) {
      throw invalid(field, "must be 1 to 128 printable ASCII characters without spaces");
    }
  }

  static void name(String field, @Nullable String value) {
    if (value != null && !NAME.matcher(value).matches()) {
      throw invalid(field, "must be 1 to 249 of the characters A-Z a-z 0-9 . _ -");
    }
  }

  static void sha256(String field, @Nullable String value) {
    if (value != null && !SHA_256.matcher(value).matches()) {
      throw invalid(field, "must be 64 hexadecimal digits in lower case");
    }
  }

  /** Refuses what no measurement gives: less than nothing, and what JSON has no number for. */
  static void measured(String field, @Nullable Double value) {
    if (value != null && !(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw invalid(field, "is " + value + ", must be a finite number of at least 0");
    }
  }

  static void atLeast(String field, @Nullable Long value, long minimum) {
    if (value != null && value < minimum) {
      throw invalid(field, "is " + value + ", must be at least " + minimum);
    }
  }

  /** Refuses a number that is out of its range. */
  static void between(String field, long value, long minimum, long maximum) {
    if (value < minimum || value > maximum) {
      throw invalid(field, "is " + value + ", must be " + minimum + " to " + maximum);
    }
  }

  /** Refuses lists that are empty or too long. */
  static void count(String field, int size, int most) {
    if (size < 1 || size > most) {
      throw invalid(field, "has " + size + " elements, must have 1 to " + most);
    }
  }

  /** Refuses what can't be a reference to a state; absence is no fault. */
  static void reference(String field, @Nullable String value) {
    if (value != null && !REFERENCE.matcher(value).matches()) {
      throw invalid(field, "must be 1 to 512 printable ASCII characters without spaces");
    }
  }

  /** Refuses what no UTF-8 can carry, which a JSON escape can smuggle in. */
  static void text(String field, @Nullable String value) {
    int broken = value == null ? -1 : firstBrokenSurrogate(value);
    if (broken >= 0) {
      throw invalid(
          field, "holds half a surrogate pair at character " + broken + ", so it is no UTF-8");
    }
  }

  /** The index of the first half of a surrogate pair without its other half, or -1. */
  static int firstBrokenSurrogate(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return i;
      }
    }
    return -1;
  }

  static void noNul(String field, @Nullable String value) {
    if (value != null && value.indexOf('\0') >= 0) {
      throw invalid(field, "holds a NUL character, which no argument or variable can carry");
    }
  }
}
