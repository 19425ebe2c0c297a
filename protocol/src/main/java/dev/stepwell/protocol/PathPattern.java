package dev.stepwell.protocol;

import java.util.List;

/**
 * A pattern of workspace paths; immutable and thread-safe. {@code *} stands for any characters of
 * one part of a path, {@code ?} for one of them, and {@code **} as a whole part for any number of
 * parts, none included; every other character stands for itself. A path is a pattern that matches
 * itself, whatever its characters. Matching takes time in proportion to the product of the lengths,
 * at most.
 */
public final class PathPattern {
  private static final String ANY_PARTS = "**";

  private final String text;
  private final List<String> parts;

  private PathPattern(String text) {
    this.text = text;
    parts = List.of(text.split("/", -1));
  }

  /**
   * The pattern that a text writes.
   *
   * @param text a path as {@link WorkspacePath} describes it, wildcards among its characters
   */
  public static PathPattern of(String text) {
    return new PathPattern(text);
  }

  /** Whether it can match more than the path that it is. */
  public boolean hasWildcards() {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /** Whether it matches a path. */
  public boolean matches(String path) {
    return text.equals(path) || (hasWildcards() && partsMatch(parts, List.of(path.split("/", -1))));
  }

  /** The text that wrote it. */
  @Override
  public String toString() {
    return text;
  }

  /**
   * Goes on greedily, and back only to the last {@code **}: what an earlier one could take, the
   * last one can take as well.
   */
  private static boolean partsMatch(List<String> patterns, List<String> path) {
    int pattern = 0;
    int part = 0;
    int lastAny = -1;
    int afterAny = 0;
    while (part < path.size()) {
      if (pattern < patterns.size() && patterns.get(pattern).equals(ANY_PARTS)) {
        lastAny = pattern++;
        afterAny = part;
      } else if (pattern < patterns.size() && partMatches(patterns.get(pattern), path.get(part))) {
        pattern++;
        part++;
      } else if (lastAny >= 0) {
        pattern = lastAny + 1;
        part = ++afterAny;
      } else {
        return false;
      }
    }
    while (pattern < patterns.size() && patterns.get(pattern).equals(ANY_PARTS)) {
      pattern++;
    }
    return pattern == patterns.size();
  }

  /** The same within a part, where {@code *} is what {@code **} is for parts. */
  private static boolean partMatches(String pattern, String part) {
    int p = 0;
    int c = 0;
    int lastStar = -1;
    int afterStar = 0;
    while (c < part.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        lastStar = p++;
        afterStar = c;
      } else if (p < pattern.length() && oneMatches(pattern.codePointAt(p), part.codePointAt(c))) {
        p += Character.charCount(pattern.codePointAt(p));
        c += Character.charCount(part.codePointAt(c));
      } else if (lastStar >= 0) {
        p = lastStar + 1;
        afterStar += Character.charCount(part.codePointAt(afterStar));
        c = afterStar;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  private static boolean oneMatches(int pattern, int character) {
    return pattern == '?' || pattern == character;
  }
}
