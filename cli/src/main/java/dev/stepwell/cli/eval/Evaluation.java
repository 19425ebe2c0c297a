package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.client.Stepwell;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs tasks, so many at once, and counts; owned by the thread that runs it. */
public final class Evaluation {
  /** Enough to see what is wrong; the result file has them all. */
  private static final int UNPASSED_SHOWN = 10;

  private final TaskRunner runner;
  private final int concurrency;
  private final Writer results;
  private final List<String> unpassed = new ArrayList<>();
  private Tally tally = Tally.NONE;

  /**
   * An evaluation to be run once.
   *
   * @param concurrency how many tasks run at once
   * @param results takes a line of JSON for each task, in the order in which they end
   */
  public Evaluation(Stepwell client, int concurrency, Writer results) {
    this.runner = new TaskRunner(client);
    this.concurrency = concurrency;
    this.results = results;
  }

  /**
   * Runs the tasks.
   *
   * @throws CommandException if results can't be written
   */
  public Report run(List<Task> tasks, Progress progress) throws InterruptedException {
    double[] latenciesMs = new double[tasks.size()];
    long startNs = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(concurrency, Evaluation::thread);
    try {
      CompletionService<TaskVerdict> running = new ExecutorCompletionService<>(threads);
      Iterator<Task> waiting = tasks.iterator();
      for (int i = 0; i < concurrency; i++) {
        submitNext(running, waiting);
      }
      for (int done = 0; done < tasks.size(); done++) {
        TaskVerdict verdict = running.take().get();
        submitNext(running, waiting);
        latenciesMs[done] = verdict.latencyMs();
        count(verdict);
        progress.done(statusName(verdict));
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a task ended without a verdict", e);
    } catch (IOException e) {
      throw new CommandException("can't write results: " + e.getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
    return new Report(tally, unpassed, latenciesMs, (System.nanoTime() - startNs) / 1e9);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // It comes out of the completion service.
  private void submitNext(CompletionService<TaskVerdict> running, Iterator<Task> waiting) {
    if (waiting.hasNext()) {
      Task task = waiting.next();
      running.submit(() -> runner.run(task));
    }
  }

  private void count(TaskVerdict verdict) throws IOException {
    tally = tally.plus(verdict.status());
    if (verdict.status() != TaskVerdict.Status.PASSED && unpassed.size() < UNPASSED_SHOWN) {
      unpassed.add(
          "%s %s: %s"
              .formatted(statusName(verdict), verdict.taskId(), String.valueOf(verdict.reason())));
    }
    results.write(line(verdict) + "\n");
  }

  private static String line(TaskVerdict verdict) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("id", verdict.taskId());
    line.put("status", statusName(verdict));
    line.put("outcome", verdict.outcome());
    line.put("reason", verdict.reason());
    line.put("steps", verdict.steps());
    line.put("attempts", verdict.attempts());
    line.put("latencyMs", verdict.latencyMs());
    return line.toString();
  }

  private static String statusName(TaskVerdict verdict) {
    return verdict.status().name().toLowerCase(Locale.ROOT);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "eval runs a task");
    thread.setDaemon(true);
    return thread;
  }
}
