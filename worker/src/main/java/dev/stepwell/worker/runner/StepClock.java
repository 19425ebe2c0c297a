package dev.stepwell.worker.runner;

import dev.stepwell.worker.runner.StepReport.Measures;
import dev.stepwell.worker.runner.StepTranscript.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Measures a step's phases. Owned by the thread that runs the step. */
final class StepClock {
  private final LongSupplier nanoTime;
  private final Map<Phase, Long> spentNs = new EnumMap<>(Phase.class);
  private Phase phase = Phase.RESTORING;
  private long sinceNs;

  StepClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.sinceNs = nanoTime.getAsLong();
  }

  void entered(Phase next) {
    long nowNs = nanoTime.getAsLong();
    spentNs.merge(phase, nowNs - sinceNs, Long::sum);
    sinceNs = nowNs;
    phase = next;
  }

  Measures measures(@Nullable Double cpuMs, @Nullable Long maxRssBytes) {
    entered(phase);
    return new Measures(
        spentMs(Phase.RESTORING),
        spentMs(Phase.RUNNING),
        spentMs(Phase.SAVING) + spentMs(Phase.FILES),
        cpuMs,
        maxRssBytes);
  }

  private double spentMs(Phase of) {
    return spentNs.getOrDefault(of, 0L) / 1e6;
  }
}
