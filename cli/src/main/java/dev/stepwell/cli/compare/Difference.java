package dev.stepwell.cli.compare;

import org.jspecify.annotations.Nullable;

/**
 * One way in which two results of a request differ; immutable.
 *
 * @param type what kind of thing differs
 * @param what which one, for people: {@code line 3}, {@code plots/a.png}, {@code variable df}
 * @param recorded what was recorded, cut at {@value #MAX_CHARACTERS} characters; null for nothing
 * @param replayed what came now, cut alike; null for nothing
 */
public record Difference(
    Type type, String what, @Nullable String recorded, @Nullable String replayed) {
  /** How much of a text is kept. */
  public static final int MAX_CHARACTERS = 4096;

  /** How much of what both sides have in common is kept before they part. */
  private static final int LEAD = 200;

  private static final String CUT = "\u2026";

  /**
   * A difference of texts of any length: of long ones that part late, what is around that place.
   */
  static Difference of(
      Type type, String what, @Nullable String recorded, @Nullable String replayed) {
    int from = 0;
    if (recorded != null && replayed != null) {
      int longer = Math.max(recorded.length(), replayed.length());
      int common = LineDiff.commonPrefix(recorded, replayed);
      from = longer > MAX_CHARACTERS && common > LEAD ? common - LEAD : 0;
    }
    return new Difference(type, what, cut(recorded, from), cut(replayed, from));
  }

  private static @Nullable String cut(@Nullable String text, int from) {
    if (text == null || (from == 0 && text.length() <= MAX_CHARACTERS)) {
      return text;
    }
    String start = from == 0 ? "" : CUT;
    int to = Math.min(text.length(), from + MAX_CHARACTERS - 2);
    return start + text.substring(from, to) + (to == text.length() ? "" : CUT);
  }

  /** What kind of thing differs. */
  public enum Type {
    /** How the step ended, its exit code and signal among it. */
    OUTCOME,
    /** The last expression's value, or what the step showed. */
    VALUE,
    /** The exception that left the source: its name, message or line. */
    EXCEPTION,
    /** Standard output, by line. */
    STDOUT,
    /** Standard error, by line. */
    STDERR,
    /** A file that the request asked for. */
    ARTIFACT,
    /** A variable or a file of the session's state. */
    STATE,
    /** A limit that was met on one side only, or met otherwise. */
    LIMIT,
    /** What a session operation answered. */
    ANSWER
  }
}
