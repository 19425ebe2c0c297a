package dev.stepwell.cli.eval;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a sample of a task went; immutable. A task without samples or candidates is its own only one.
 *
 * @param id what it is called: the task, and its number where there are several
 * @param task the task that it is a sample of
 * @param sample which one, from 1
 * @param status what it counts as
 * @param reason what was not as expected, or what failed; null for one that passed
 * @param outcome how its last step that was answered ended, or null
 * @param figures what it took
 * @param output the end of what its last answered step printed, cut; null for one that passed
 */
record SampleVerdict(
    String id,
    String task,
    int sample,
    Status status,
    @Nullable String reason,
    @Nullable String outcome,
    Figures figures,
    @Nullable String output) {

  /**
   * What a sample took; immutable.
   *
   * @param steps how many of its steps were answered
   * @param attempts how many steps were sent for it, more than those where one was tried again
   * @param startedAtMs when its first step was published, milliseconds since the epoch; 0 where
   *     none was
   * @param endedAtMs when its last answer was published, milliseconds since the epoch
   * @param latencyMs its steps' times from publication to result, added up, in milliseconds
   * @param queuedMs the part of it that they waited for a slot
   * @param ranMs the part of it that its own code ran
   * @param outcomes how many steps ended how
   */
  record Figures(
      int steps,
      int attempts,
      long startedAtMs,
      long endedAtMs,
      double latencyMs,
      double queuedMs,
      double ranMs,
      Map<String, Integer> outcomes) {
    /** Of what did not run. */
    static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, Map.of());

    Figures {
      outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes));
    }
  }
}
