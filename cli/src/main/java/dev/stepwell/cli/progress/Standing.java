package dev.stepwell.cli.progress;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How far something is at a moment; immutable.
 *
 * @param done how many, with those of before
 * @param total how many there are, where that is known
 * @param part how much of the whole is done, 0 to 1; 0 where nobody said
 * @param counts how many went how, in words
 * @param perSecond how many are done in a second just now
 * @param secondsLeft the estimate, where there is one
 */
record Standing(
    long done,
    OptionalLong total,
    double part,
    String counts,
    double perSecond,
    OptionalDouble secondsLeft) {
  private static final long MINUTE = 60;
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;

  /** Beyond this an estimate says nothing. */
  private static final double MAX_DAYS = 100;

  /**
   * A whole line.
   *
   * @param title what it is
   * @param unit what is counted, such as {@code tasks}, or empty
   */
  String line(String title, String unit) {
    StringBuilder line = new StringBuilder(title).append(": ").append(done);
    total.ifPresent(all -> line.append(" of ").append(all));
    line.append(unit.isEmpty() ? "" : " " + unit);
    if (total.isEmpty() && part > 0) {
      line.append(", %.0f %%".formatted(part * 100));
    }
    return line.append(counts.isEmpty() ? "" : ", " + counts)
        .append(", ")
        .append(pace())
        .toString();
  }

  /** Such as {@code 48.1/s, about 17 s left}. */
  String pace() {
    String rate = String.format(Locale.ROOT, "%.1f/s", perSecond);
    return secondsLeft.isPresent()
        ? rate + ", about " + duration(secondsLeft.getAsDouble()) + " left"
        : rate;
  }

  /** A duration as people say it: two units at most. */
  static String duration(double ofSeconds) {
    if (ofSeconds >= MAX_DAYS * DAY) {
      return Math.round(MAX_DAYS) + " d";
    }
    long seconds = (long) Math.ceil(ofSeconds);
    if (seconds < 2 * MINUTE) {
      return seconds + " s";
    }
    if (seconds < HOUR) {
      return Math.round(seconds / (double) MINUTE) + " min";
    }
    if (seconds < DAY) {
      return two(seconds, HOUR, "h", MINUTE, "min");
    }
    return two(seconds, DAY, "d", HOUR, "h");
  }

  private static String two(long seconds, long large, String named, long small, String and) {
    return seconds / large + " " + named + " " + seconds % large / small + " " + and;
  }
}
