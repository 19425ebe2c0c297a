package dev.stepwell.worker.config;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a setting's value is written. Those with a number have one base unit each. */
enum Kind {
  TEXT("text", "text"),
  NAME("name", "a name of the characters A-Z a-z 0-9 . _ -"),
  LIST("list", "names separated by commas"),
  CHOICE("choice", "one of its choices"),
  /** A plain whole number. */
  COUNT("number", "a whole number such as 12"),
  /** Base unit: bytes. */
  SIZE("size", "a whole number with one of the units B, KiB, MiB, GiB, such as 64MiB, or 0"),
  /** Base unit: milliseconds. */
  DURATION("duration", "a whole number with one of the units ms, s, m, h, such as 30s, or 0"),
  /** Base unit: thousandths of a core. */
  CORES("cores", "a number of cores with at most three decimals, such as 0.5");

  private static final Pattern NUMBER_WITH_UNIT = Pattern.compile("(\\d{1,18})([A-Za-z]*)");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(\\.\\d{1,3})?");

  private final String label;
  private final String form;

  Kind(String label, String form) {
    this.label = label;
    this.form = form;
  }

  /** What the documentation's table calls it. */
  String label() {
    return label;
  }

  /** What a value must look like, to be put after "must be". */
  String form() {
    return form;
  }

  boolean isNumber() {
    return this == COUNT || this == SIZE || this == DURATION || this == CORES;
  }

  /**
   * The value in the base unit.
   *
   * @throws NumberFormatException if the text is none of this kind, or beyond a {@code long}
   */
  long parse(String text) {
    if (this == CORES) {
      if (!DECIMAL.matcher(text).matches()) {
        throw new NumberFormatException(text);
      }
      return new BigDecimal(text).movePointRight(3).longValueExact();
    }
    Matcher matcher = NUMBER_WITH_UNIT.matcher(text);
    if (!matcher.matches()) {
      throw new NumberFormatException(text);
    }
    long number = Long.parseLong(matcher.group(1));
    return multiply(number, unit(matcher.group(2), number));
  }

  private static long multiply(long number, long unit) {
    try {
      return Math.multiplyExact(number, unit);
    } catch (ArithmeticException e) {
      NumberFormatException tooLarge = new NumberFormatException(number + " times " + unit);
      tooLarge.initCause(e);
      throw tooLarge;
    }
  }

  private long unit(String name, long number) {
    if (name.isEmpty() && (this == COUNT || number == 0)) {
      return 1;
    }
    return switch (this.label + ":" + name.toLowerCase(Locale.ROOT)) {
      case "size:b", "duration:ms" -> 1;
      case "size:kib" -> 1L << 10;
      case "size:mib" -> 1L << 20;
      case "size:gib" -> 1L << 30;
      case "duration:s" -> 1_000;
      case "duration:m" -> 60_000;
      case "duration:h" -> 3_600_000;
      default -> throw new NumberFormatException("unit " + name);
    };
  }

  /** Writes a value in base units as a file would have it; {@link #parse} reads it back. */
  String format(long value) {
    return switch (this) {
      case SIZE ->
          largest(value, new String[] {"GiB", "MiB", "KiB", "B"}, 1L << 30, 1L << 20, 1L << 10, 1);
      case DURATION ->
          largest(value, new String[] {"h", "m", "s", "ms"}, 3_600_000, 60_000, 1_000, 1);
      case CORES -> BigDecimal.valueOf(value, 3).stripTrailingZeros().toPlainString();
      default -> Long.toString(value);
    };
  }

  private static String largest(long value, String[] names, long... units) {
    if (value == 0) {
      return "0";
    }
    int i = 0;
    while (value % units[i] != 0) {
      i++;
    }
    return value / units[i] + names[i];
  }
}
