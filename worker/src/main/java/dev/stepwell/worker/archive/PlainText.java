package dev.stepwell.worker.archive;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** Writes plain values nearly as Python's {@code repr} does, for people. Stateless. */
final class PlainText {
  /** Values in a table are shorter, but for those that somebody forged. */
  private static final int MAX_CHARACTERS = 2000;

  private static final int MAX_ITEMS = 100;
  private static final double LARGE = 1e16;
  private static final double SMALL = 1e-4;

  private PlainText() {}

  static String of(Plain value) {
    String text = repr(value);
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "\u2026";
  }

  private static String repr(Plain value) {
    if (value instanceof Plain.Constant constant) {
      return constant.text();
    } else if (value instanceof Plain.Whole whole) {
      return whole.value().toString();
    } else if (value instanceof Plain.Real real) {
      return number(real.value());
    } else if (value instanceof Plain.Complex complex) {
      String sign = complex.imaginary() < 0 ? "" : "+";
      return "(%s%s%sj)".formatted(number(complex.real()), sign, number(complex.imaginary()));
    } else if (value instanceof Plain.Text text) {
      return quoted(text.text());
    } else if (value instanceof Plain.Binary binary) {
      return bytes(binary.value());
    } else if (value instanceof Plain.Tuple tuple) {
      return "(" + items(tuple.items()) + ")";
    } else if (value instanceof Plain.Sequence sequence) {
      return "[" + items(sequence.items()) + "]";
    }
    return "{...}";
  }

  private static String items(List<Plain> items) {
    return items.stream().limit(MAX_ITEMS).map(PlainText::of).collect(Collectors.joining(", "));
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    double size = Math.abs(value);
    if (size != 0 && (size >= LARGE || size < SMALL)) {
      String text = Double.toString(value).replace(".0E", "E");
      return text.contains("E-") ? text.replace("E", "e") : text.replace("E", "e+");
    }
    String plain = new BigDecimal(Double.toString(size)).toPlainString();
    String text = plain.contains(".") ? plain : plain + ".0";
    return (Math.copySign(1, value) < 0 ? "-" : "") + text;
  }

  private static String quoted(String text) {
    String quote = text.contains("'") && !text.contains("\"") ? "\"" : "'";
    StringBuilder quoted = new StringBuilder(quote);
    for (int i = 0; i < Math.min(text.length(), MAX_CHARACTERS); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        case '\\' -> quoted.append("\\\\");
        case '\'' -> quoted.append(quote.equals("'") ? "\\'" : "'");
        default -> {
          if (Character.isISOControl(each)) {
            quoted.append("\\x%02x".formatted((int) each));
          } else {
            quoted.append(each);
          }
        }
      }
    }
    return quoted.append(quote).toString();
  }

  private static String bytes(byte[] value) {
    StringBuilder text = new StringBuilder("b'");
    for (int i = 0; i < Math.min(value.length, MAX_CHARACTERS); i++) {
      int each = value[i] & 0xff;
      boolean printable = each >= ' ' && each < 0x7f && each != '\\' && each != '\'';
      text.append(printable ? String.valueOf((char) each) : "\\x%02x".formatted(each));
    }
    return text.append("'").toString();
  }
}
