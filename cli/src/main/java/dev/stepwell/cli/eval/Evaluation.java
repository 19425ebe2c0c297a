package dev.stepwell.cli.eval;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.cli.run.RunId;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks, so many at once; owned by the thread that runs it. Each task under way has one thread
 * or more, which wait for answers.
 */
final class Evaluation {
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  /** After so long without any verdict somebody should look whether there is a worker. */
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private final Courier courier;
  private final RunId run;
  private final int concurrency;
  private final Retries retries;
  private final Farewells farewells = new Farewells();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();

  /** A task that has a verdict, or what keeps all from having one; one of the two is null. */
  private record Ended(@Nullable TaskRun task, @Nullable Throwable failure) {}

  /**
   * An evaluation to be run once.
   *
   * @param concurrency how many tasks are under way at once, and steps on their way
   */
  Evaluation(Courier courier, RunId run, int concurrency, Retries retries) {
    this.courier = courier;
    this.run = run;
    this.concurrency = concurrency;
    this.retries = retries;
  }

  /**
   * Runs tasks.
   *
   * @param finished the indexes of tasks that have a verdict: these don't run
   * @param verdicts takes those of the others, on the thread that calls this
   * @throws CommandException if nothing can be sent or read any more
   */
  void run(List<Task> tasks, BitSet finished, Verdicts verdicts, Progress progress)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(concurrency, Evaluation::thread);
    try {
      int left = tasks.size() - finished.cardinality();
      int next = 0;
      for (int i = 0; i < concurrency; i++) {
        next = startNext(tasks, finished, next, threads);
      }
      for (; left > 0; left--) {
        TaskRun task = next(progress);
        next = startNext(tasks, finished, next, threads);
        TaskVerdict verdict = task.verdict();
        verdicts.take(verdict);
        task.finish();
        progress.done(verdict.status().text());
      }
      farewells.await(LAST_WORDS);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Ends the evaluation, from any thread: nothing will be answered any more. */
  void fail(String reason) {
    ended.add(new Ended(null, new CommandException(reason)));
  }

  private TaskRun next(Progress progress) throws InterruptedException {
    Ended next = ended.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (next == null) {
      progress.note(
          "no task has ended for "
              + SILENCE.toSeconds()
              + " s: does a worker run, or are the tasks that long?");
      next = ended.take();
    }
    if (next.task() != null) {
      return next.task();
    }
    if (next.failure() instanceof CourierException failure) {
      throw new CommandException(String.valueOf(failure.getMessage()), failure);
    }
    if (next.failure() instanceof CommandException failure) {
      throw failure;
    }
    throw new IllegalStateException("a task ended without a verdict", next.failure());
  }

  /** Begins the next task that has no verdict, and says which one comes behind it. */
  private int startNext(List<Task> tasks, BitSet finished, int from, ExecutorService threads) {
    int index = finished.nextClearBit(from);
    if (index >= tasks.size()) {
      return index;
    }
    Task task = tasks.get(index);
    TaskRequests requests = new TaskRequests(courier, run, index);
    TaskRun begun =
        new TaskRun(
            index,
            task,
            requests,
            new TaskParts(task, requests, retries, farewells),
            work -> execute(threads, work),
            done -> ended.add(new Ended(done, null)));
    execute(threads, begun::begin);
    return index + 1;
  }

  private void execute(ExecutorService threads, TaskRun.Work work) {
    try {
      threads.execute(() -> runOrEnd(work));
    } catch (RejectedExecutionException e) {
      // The evaluation has ended with a failure; nobody waits for this.
      return;
    }
  }

  private void runOrEnd(TaskRun.Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      // The evaluation has ended with a failure.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      ended.add(new Ended(null, e));
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "eval runs a task");
    thread.setDaemon(true);
    return thread;
  }
}
