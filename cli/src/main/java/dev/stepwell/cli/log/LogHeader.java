package dev.stepwell.cli.log;

import java.util.List;

/**
 * What a log says of itself; immutable.
 *
 * @param version the version of its format; 0 for plain lines of requests
 * @param recordedAtMs when, in milliseconds since the epoch; 0 where it doesn't say
 * @param source where it was recorded, for people; empty where it doesn't say
 * @param ignore the rules for what is known to vary, in their written form
 */
public record LogHeader(int version, long recordedAtMs, String source, List<String> ignore) {
  /** Of plain lines of requests. */
  public static final LogHeader PLAIN = new LogHeader(0, 0, "", List.of());

  public LogHeader {
    ignore = List.copyOf(ignore);
  }
}
