package dev.stepwell.cli.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task under way: it begins on one thread, its candidates run on any, and the last of them ends
 * it; thread-safe.
 */
final class TaskRun {
  /** Work for one of the evaluation's threads. */
  interface Work {
    void run() throws InterruptedException;
  }

  private final int index;
  private final Task task;
  private final TaskRequests requests;
  private final TaskParts parts;
  private final Consumer<Work> threads;
  private final Consumer<TaskRun> whenDone;
  private final AtomicReferenceArray<SampleVerdict> verdicts;
  private final AtomicInteger left;

  /**
   * A task to begin.
   *
   * @param threads take work that may run at the same time
   * @param whenDone is told when there is a verdict, on any thread
   */
  TaskRun(
      int index,
      Task task,
      TaskRequests requests,
      TaskParts parts,
      Consumer<Work> threads,
      Consumer<TaskRun> whenDone) {
    this.index = index;
    this.task = task;
    this.requests = requests;
    this.parts = parts;
    this.threads = threads;
    this.whenDone = whenDone;
    this.verdicts = new AtomicReferenceArray<>(task.candidates().size());
    this.left = new AtomicInteger(task.candidates().size());
  }

  /** Prepares, and hands the candidates to threads. */
  void begin() throws InterruptedException {
    TaskParts.Prepared prepared = task.prepare().isEmpty() ? null : parts.prepare();
    if (prepared != null && prepared.stop() != null) {
      parts.end(prepared.session());
      for (int candidate = 1; candidate <= verdicts.length(); candidate++) {
        verdicts.set(candidate - 1, parts.notRun(candidate, prepared.stop()));
      }
      whenDone.accept(this);
      return;
    }
    for (int candidate = 2; candidate <= verdicts.length(); candidate++) {
      int number = candidate;
      threads.accept(() -> run(number, prepared));
    }
    run(1, prepared);
  }

  /** The verdict, once it is there. */
  TaskVerdict verdict() {
    List<SampleVerdict> all = new ArrayList<>();
    for (int i = 0; i < verdicts.length(); i++) {
      all.add(verdicts.get(i));
    }
    return new TaskVerdict(index, task.id(), all);
  }

  /** The verdict is written down. */
  void finish() {
    requests.finish();
  }

  private void run(int candidate, TaskParts.@Nullable Prepared prepared)
      throws InterruptedException {
    String reference = prepared == null ? null : prepared.reference();
    verdicts.set(candidate - 1, parts.candidate(candidate, reference));
    if (left.decrementAndGet() == 0) {
      if (prepared != null) {
        parts.end(prepared.session());
      }
      whenDone.accept(this);
    }
  }
}
