package dev.stepwell.worker.config;

import java.util.List;

/**
 * The values that a setting takes; immutable.
 *
 * @param kind how they are written
 * @param minimum the least, in the kind's base unit; for text and names, characters
 * @param maximum the most, in the same unit
 * @param zero what 0 means; empty where it is out of range or means just that number
 * @param choices the words to choose from; empty for every kind but {@link Kind#CHOICE}
 */
record Domain(Kind kind, long minimum, long maximum, String zero, List<String> choices) {
  /** No path or address of use is longer, and an error message still shows it whole. */
  private static final int MAX_TEXT = 4096;

  static Domain text() {
    return new Domain(Kind.TEXT, 0, MAX_TEXT, "", List.of());
  }

  static Domain namedUpTo(int maximumLength) {
    return new Domain(Kind.NAME, 1, maximumLength, "", List.of());
  }

  static Domain list() {
    return new Domain(Kind.LIST, 0, MAX_TEXT, "", List.of());
  }

  static Domain choice(String... choices) {
    return new Domain(Kind.CHOICE, 0, 0, "", List.of(choices));
  }

  static Domain number(Kind kind, String minimum, String maximum) {
    return new Domain(kind, kind.parse(minimum), kind.parse(maximum), "", List.of());
  }

  /** The same, with what 0 means. */
  Domain zero(String meaning) {
    return new Domain(kind, minimum, maximum, meaning, choices);
  }
}
