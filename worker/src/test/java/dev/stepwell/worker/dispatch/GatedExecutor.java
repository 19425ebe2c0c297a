package dev.stepwell.worker.dispatch;

import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.Outgoing;
import dev.stepwell.worker.execution.Assignment;
import dev.stepwell.worker.execution.RunningStep;
import dev.stepwell.worker.execution.StepExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** An executor whose steps run until the test lets them end. Thread-safe. */
final class GatedExecutor implements StepExecutor {
  final BlockingQueue<Assignment> started = new LinkedBlockingQueue<>();
  private final Map<Long, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final boolean open;

  /**
   * @param open whether steps end at once
   */
  GatedExecutor(boolean open) {
    this.open = open;
  }

  void finish(long offset) {
    gate(offset).countDown();
  }

  @Override
  public @Nullable Answer execute(Assignment assignment, RunningStep step) {
    started.add(assignment);
    long offset = assignment.arrival().offset();
    try {
      if (!open) {
        gate(offset).await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    Outgoing result = new Outgoing("results", new byte[0], new byte[0], Map.of());
    return new Answer(offset, List.of(result), null);
  }

  private CountDownLatch gate(long offset) {
    return gates.computeIfAbsent(offset, any -> new CountDownLatch(1));
  }
}
