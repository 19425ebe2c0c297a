package dev.stepwell.cli.eval;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a task went; immutable.
 *
 * @param index which of the evaluation's tasks, from 0
 * @param task its name
 * @param samples how each of its candidates went, at least one
 */
record TaskVerdict(int index, String task, List<SampleVerdict> samples) {
  TaskVerdict {
    samples = List.copyOf(samples);
  }

  Status status() {
    return Status.best(samples.stream().map(SampleVerdict::status).toList());
  }

  /** What was otherwise than expected; null where it passed. */
  @Nullable String reason() {
    if (status() == Status.PASSED) {
      return null;
    }
    SampleVerdict first =
        samples.stream().filter(each -> each.status() == status()).findFirst().orElseThrow();
    return samples.size() == 1
        ? first.reason()
        : "none of " + samples.size() + " candidates passed; " + first.id() + ": " + first.reason();
  }
}
