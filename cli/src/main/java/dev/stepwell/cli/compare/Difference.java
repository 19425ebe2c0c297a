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
