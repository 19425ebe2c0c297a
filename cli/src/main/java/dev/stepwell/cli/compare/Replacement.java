package dev.stepwell.cli.compare;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An expression whose matches are ignored; immutable and thread-safe.
 *
 * @param rule the rule as it was written
 * @param parts where it applies
 * @param pattern the expression
 * @param named says which matches count; null for all
 */
record Replacement(String rule, Set<Part> parts, Pattern pattern, @Nullable NamedRule named) {
  /** A part of a text that is searched in one go. */
  private static final int CHUNK = 1 << 20;

  /** How often a well-behaved expression looks at each character, many times over. */
  private static final long LOOKS_EACH = 50;

  /** For expressions that are slow on short texts: some tenths of a second. */
  private static final long LOOKS = 4L << 20;

  Replacement {
    parts = Set.copyOf(parts);
  }

  String apply(String text) {
    if (text.length() <= CHUNK) {
      return applyToChunk(text);
    }
    StringBuilder result = new StringBuilder();
    int from = 0;
    while (from < text.length()) {
      int to = Math.min(text.length(), from + CHUNK);
      int line = text.lastIndexOf('\n', to - 1);
      if (to < text.length() && line >= from) {
        to = line + 1;
      }
      result.append(applyToChunk(text.substring(from, to)));
      from = to;
    }
    return result.toString();
  }

  private String applyToChunk(String text) {
    try {
      Matcher matcher = pattern.matcher(new BoundedText(text, LOOKS + LOOKS_EACH * text.length()));
      StringBuilder result = null;
      int copied = 0;
      long nowMs = System.currentTimeMillis();
      while (matcher.find()) {
        if (matcher.end() > matcher.start() && (named == null || named.counts(matcher, nowMs))) {
          if (result == null) {
            result = new StringBuilder();
          }
          result.append(text, copied, matcher.start()).append(IgnoreRules.IGNORED);
          copied = matcher.end();
        }
      }
      return result == null ? text : result.append(text, copied, text.length()).toString();
    } catch (BoundedText.ExhaustedException | StackOverflowError e) {
      throw new IgnoreRuleException(
          "the expression of ignore rule '%s' takes too long on a text of %d characters: write it"
                  .formatted(rule, text.length())
              + " without repetitions inside of repetitions",
          e);
    }
  }
}
