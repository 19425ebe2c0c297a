package dev.stepwell.cli.log;

import java.util.Locale;

/** What a line is; its {@code type} is the name in small letters. */
enum LineType {
  LOG,
  REQUEST,
  RESULT,
  SNAPSHOT,
  PIECE,
  INDEX,
  END,
  /** A type that this version doesn't know: such lines are skipped. */
  UNKNOWN,
  /** A line without a type. */
  NONE;

  /** How lines say it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static LineType of(String text) {
    for (LineType type : values()) {
      if (type.text().equals(text) && type != UNKNOWN && type != NONE) {
        return type;
      }
    }
    return UNKNOWN;
  }
}
