package dev.stepwell.cli.eval;

import dev.stepwell.cli.run.Answer;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up what a sample takes; owned by the thread that runs the sample. */
final class FiguresCount {
  private int answered;
  private int sent;
  private long startedAtMs;
  private long endedAtMs;
  private double latencyMs;
  private double queuedMs;
  private double ranMs;
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private @Nullable ExecutionResult last;

  /** A request was sent for a step. */
  void sent() {
    sent++;
  }

  /** A request for a step was answered, perhaps to be tried again. */
  void answered(Answer answer) {
    Timings timings = answer.result().timings();
    double workMs = totalMs(timings);
    boolean known = answer.publishedAtMs() > 0;
    long publishedAtMs =
        known ? answer.publishedAtMs() : answer.answeredAtMs() - Math.round(workMs);
    startedAtMs = startedAtMs == 0 ? publishedAtMs : Math.min(startedAtMs, publishedAtMs);
    endedAtMs = Math.max(endedAtMs, answer.answeredAtMs());
    // Clocks of two machines may be compared here.
    latencyMs += known ? Math.max(0, answer.answeredAtMs() - publishedAtMs) : workMs;
    queuedMs += timings.queuedMs();
    ranMs += timings.ranMs();
    last = answer.result();
  }

  /** A step had its last answer. */
  void stepDone(Outcome outcome) {
    answered++;
    outcomes.merge(outcome.name(), 1, Integer::sum);
  }

  @Nullable ExecutionResult last() {
    return last;
  }

  SampleVerdict.Figures figures() {
    return new SampleVerdict.Figures(
        answered, sent, startedAtMs, endedAtMs, latencyMs, queuedMs, ranMs, outcomes);
  }

  private static double totalMs(Timings timings) {
    return timings.queuedMs()
        + timings.acquiredMs()
        + timings.restoredMs()
        + timings.ranMs()
        + timings.savedMs()
        + timings.committedMs();
  }
}
