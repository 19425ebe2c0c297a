package dev.stepwell.cli.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * How busy an installation is at a moment; immutable.
 *
 * @param workers members of the workers' group
 * @param unanswered requests without an answer, those that run included
 * @param oldestMs how long ago the oldest of them was published, in milliseconds; 0 for none
 * @param answeredPerSecond how many results came in the window, by second
 * @param queuedMs of those results, how long their requests waited for a slot, in milliseconds
 * @param infrastructure how many of those results are infrastructure failures
 * @param windowMs how far back the window goes, in milliseconds
 */
public record Load(
    int workers,
    long unanswered,
    long oldestMs,
    double answeredPerSecond,
    Quantiles queuedMs,
    long infrastructure,
    long windowMs) {
  /**
   * Values of which half, nine tenths, and 99 hundredths are no greater; all 0 where there is none.
   */
  public record Quantiles(double p50, double p90, double p99) {
    static final Quantiles NONE = new Quantiles(0, 0, 0);

    /** Of values in ascending order. */
    static Quantiles of(double[] sorted) {
      return sorted.length == 0
          ? NONE
          : new Quantiles(at(sorted, 0.5), at(sorted, 0.9), at(sorted, 0.99));
    }

    private static double at(double[] sorted, double part) {
      return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
  }

  /** One line for people. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%d workers, %d unanswered, the oldest for %.1f s; last %d s: %.1f/s answered, queued p50"
            + " %.0f ms, p90 %.0f ms, p99 %.0f ms, %d infrastructure failures",
        workers,
        unanswered,
        oldestMs / 1000.0,
        windowMs / 1000,
        answeredPerSecond,
        queuedMs.p50(),
        queuedMs.p90(),
        queuedMs.p99(),
        infrastructure);
  }

  /** One object for programs. */
  public String json() {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("workers", workers);
    object.put("unanswered", unanswered);
    object.put("oldestMs", oldestMs);
    object.put("answeredPerSecond", answeredPerSecond);
    object.put("queuedP50Ms", queuedMs.p50());
    object.put("queuedP90Ms", queuedMs.p90());
    object.put("queuedP99Ms", queuedMs.p99());
    object.put("infrastructure", infrastructure);
    object.put("windowMs", windowMs);
    return object.toString();
  }
}
