package dev.stepwell.cli.compare;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is known to vary in texts, by name. */
enum NamedRule {
  /** Where something is in memory, as {@code repr} tells: {@code 0x7f3a5c0}. */
  ADDRESSES("addresses", "(?<![0-9A-Za-z])0x[0-9a-fA-F]{4,16}(?![0-9A-Za-z])"),
  /** Dates and times in ISO's form, times of day, and seconds or milliseconds since the epoch. */
  TIMES(
      "times",
      "(?<![\\w.-])\\d{4}-\\d{2}-\\d{2}"
          + "(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?(?:Z|[+-]\\d{2}:?\\d{2}))?)?"
          + "(?![\\w-])"
          + "|(?<![\\w:])\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?![\\w:])"
          + "|(?<![\\w.-])(\\d{9,10}|\\d{12,13})(?:\\.\\d{1,9})?(?![\\w-]|\\.\\d)"),
  /** How long something took: a number and a unit. */
  DURATIONS(
      "durations",
      "(?<![\\w.])\\d{1,18}(?:\\.\\d{1,18})?(?:e[+-]?\\d{1,3})? ?"
          + "(?:ns|us|\u00b5s|\u03bcs|ms|s|secs?|seconds?|mins?|minutes?)(?!\\w)"),
  /** Random identifiers in the usual form of 36 characters. */
  UUIDS(
      "uuids",
      "(?<![0-9A-Za-z])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![0-9A-Za-z])"),
  /** Random identifiers and hashes: 16 hexadecimal digits or more. */
  HEX("hex", "(?<![0-9A-Za-z])[0-9a-fA-F]{16,}(?![0-9A-Za-z])"),
  /** Names that {@code tempfile} makes in {@code /tmp}, and what is in such folders. */
  TEMPORARY_PATHS("paths-tmp", "(?<![\\w/])/tmp/[\\w.-]{0,64}?[a-z0-9_]{8}[\\w.-]{0,64}+"),
  /** The states of random streams; no text. */
  RANDOM("random", null);

  private static final long YEARS_30_MS = 30L * 365 * 24 * 3600 * 1000;
  private static final long DAY_MS = 24L * 3600 * 1000;
  private static final int SECONDS_DIGITS = 10;

  private final String written;
  private final @Nullable Pattern pattern;

  NamedRule(String written, @Nullable String pattern) {
    this.written = written;
    this.pattern = pattern == null ? null : Pattern.compile(pattern);
  }

  String written() {
    return written;
  }

  @Nullable Pattern pattern() {
    return pattern;
  }

  /** Whether a match counts; a number counts as a time if it lies in the last 30 years. */
  boolean counts(Matcher match, long nowMs) {
    if (this != TIMES || match.group(1) == null) {
      return true;
    }
    String digits = match.group(1);
    long value = Long.parseLong(digits);
    long timeMs = digits.length() <= SECONDS_DIGITS ? value * 1000 : value;
    return timeMs > nowMs - YEARS_30_MS && timeMs < nowMs + DAY_MS;
  }

  static @Nullable NamedRule of(String written) {
    for (NamedRule rule : values()) {
      if (rule.written.equals(written)) {
        return rule;
      }
    }
    return null;
  }
}
