package dev.stepwell.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How to fork; immutable. Each method gives a copy that differs in one thing. By default a fork has
 * a random id, and goes on with the random streams of what it forks: the same code then draws the
 * same numbers in every fork.
 */
public final class ForkOptions {
  private static final ForkOptions DEFAULTS = new ForkOptions(null, false);

  private final @Nullable String id;
  private final boolean reseed;

  private ForkOptions(@Nullable String id, boolean reseed) {
    this.id = id;
    this.reseed = reseed;
  }

  /** A random id, and the same random numbers. */
  public static ForkOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The fork's id, which no session may have yet. Where several forks are made at once, theirs are
   * this one with {@code -1}, {@code -2} and so on behind it.
   *
   * @param sessionId 1 to 128 printable ASCII characters without spaces
   */
  public ForkOptions id(String sessionId) {
    return new ForkOptions(requireNonNull(sessionId, "sessionId"), reseed);
  }

  /** Has each fork start with random streams of its own. */
  public ForkOptions reseed() {
    return new ForkOptions(id, true);
  }

  boolean reseeds() {
    return reseed;
  }

  String idOfOne() {
    return id == null ? UUID.randomUUID().toString() : id;
  }

  /** The id of one of several, from 1. */
  String idOf(int number) {
    return id == null ? UUID.randomUUID().toString() : id + "-" + number;
  }
}
