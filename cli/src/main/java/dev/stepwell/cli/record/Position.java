package dev.stepwell.cli.record;

import dev.stepwell.cli.process.CommandException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a range of the request topic begins or ends, as people write it; immutable. */
sealed interface Position {
  /** What is still there. */
  record Earliest() implements Position {}

  /** The end as it is when recording begins. */
  record Latest() implements Position {}

  /**
   * A moment.
   *
   * @param atMs milliseconds since the epoch
   */
  record Time(long atMs) implements Position {}

  /**
   * Places in partitions.
   *
   * @param byPartition the offset in each
   */
  record Offsets(Map<Integer, Long> byPartition) implements Position {
    public Offsets {
      byPartition = Map.copyOf(byPartition);
    }
  }

  Pattern AGO = Pattern.compile("-([0-9]{1,9})(ms|s|m|h|d)");
  Pattern OFFSETS = Pattern.compile("[0-9]{1,9}:[0-9]{1,18}(,[0-9]{1,9}:[0-9]{1,18})*");

  /**
   * Reads one.
   *
   * @param option its name, for the failure
   * @param text {@code earliest}, {@code latest}, a time of ISO 8601 (of UTC where it says nothing
   *     else), {@code -15m} for before now, or {@code PARTITION:OFFSET,PARTITION:OFFSET}
   * @param nowMs milliseconds since the epoch
   * @throws CommandException if it is none of these
   */
  static Position parse(String option, String text, long nowMs) {
    if (text.equals("earliest")) {
      return new Earliest();
    }
    if (text.equals("latest")) {
      return new Latest();
    }
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      return new Time(Math.max(0, nowMs - duration(Long.parseLong(ago.group(1)), ago.group(2))));
    }
    return OFFSETS.matcher(text).matches() ? offsets(option, text) : time(option, text);
  }

  private static long duration(long count, String unit) {
    return switch (unit) {
      case "ms" -> count;
      case "s" -> Duration.ofSeconds(count).toMillis();
      case "m" -> Duration.ofMinutes(count).toMillis();
      case "h" -> Duration.ofHours(count).toMillis();
      default -> Duration.ofDays(count).toMillis();
    };
  }

  private static Position offsets(String option, String text) {
    Map<Integer, Long> offsets = new TreeMap<>();
    for (String each : text.split(",", -1)) {
      String[] parts = each.split(":", -1);
      if (offsets.put(Integer.parseInt(parts[0]), Long.parseLong(parts[1])) != null) {
        throw new CommandException(option + " names partition " + parts[0] + " twice");
      }
    }
    return new Offsets(offsets);
  }

  private static Position time(String option, String text) {
    try {
      if (text.length() == "2026-01-31".length()) {
        return at(LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
      }
      return text.matches(".*(Z|[+-][0-9]{2}(:?[0-9]{2})?)")
          ? at(OffsetDateTime.parse(text).toInstant())
          : at(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      throw new CommandException(
          "%s is '%s': write earliest, latest, a time such as 2026-01-31T09:00:00Z, -15m for before now, or PARTITION:OFFSET,PARTITION:OFFSET"
              .formatted(option, text),
          e);
    }
  }

  private static Position at(Instant instant) {
    return new Time(Math.max(0, instant.toEpochMilli()));
  }
}
