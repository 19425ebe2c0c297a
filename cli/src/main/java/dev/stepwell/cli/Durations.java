package dev.stepwell.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}. */
final class Durations {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private Durations() {}

  static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no duration: write digits and ms, s, m or h, such as 30s");
    }
    long count = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          default -> Duration.ofHours(count);
        };
    if (duration.isZero()) {
      throw new TypeConversionException("'" + text + "' is no time at all: give at least 1ms");
    }
    return duration;
  }
}
