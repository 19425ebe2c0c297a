package dev.stepwell.worker.sandbox;

/**
 * Whether a backend can be used on this machine; immutable.
 *
 * @param usable whether it can
 * @param reason one sentence for the user: what was found, or what is missing and how to get it
 */
public record Availability(boolean usable, String reason) {
  /** It can be used; {@code reason} says what was found. */
  public static Availability usable(String reason) {
    return new Availability(true, reason);
  }

  /** It can't; {@code reason} says what is missing and how to get it. */
  public static Availability missing(String reason) {
    return new Availability(false, reason);
  }
}
