package dev.stepwell.cli.eval;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Checkpoint;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.KafkaCourier;
import dev.stepwell.cli.run.RunFolder;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * An evaluation that goes on where an earlier process of it was interrupted; owned by the thread
 * that runs it. What has a verdict is in the run's folder; of the rest, what was answered is in the
 * result topic.
 */
public final class EvalRun {
  /** Ends of sessions are on their way beside the steps. */
  private static final int IN_FLIGHT_FOR_EACH = 4;

  private static final long MAX_BYTES_IN_FLIGHT = 256L << 20;
  private static final long CHECKPOINT_NS = Duration.ofSeconds(1).toNanos();

  private final List<Task> tasks;
  private final RunFolder folder;
  private final BitSet finished = new BitSet();
  private final List<TaskVerdict> verdicts = new ArrayList<>();
  private long earlierMs;
  private long startNs;
  private long checkpointNs;
  private boolean begun;

  /**
   * An evaluation to be run once.
   *
   * @param folder remembers it
   */
  public EvalRun(List<Task> tasks, RunFolder folder) {
    this.tasks = List.copyOf(tasks);
    this.folder = folder;
  }

  /**
   * How to run tasks; immutable.
   *
   * @param concurrency how many at once
   * @param retries how many more tries there are after failures of ours
   * @param ks for which numbers pass@k is told
   */
  public record Options(int concurrency, int retries, List<Integer> ks) {
    public Options {
      ks = List.copyOf(ks);
    }
  }

  /**
   * Runs what has no verdict yet.
   *
   * @param bootstrap where Kafka is
   * @param files take the verdicts, those of earlier processes first
   * @param failure completes with a reason where nothing will be answered any more
   * @throws CommandException if nothing can be sent or read any more, or results can't be written
   */
  public Summary run(
      String bootstrap,
      Options options,
      ResultFiles files,
      CompletableFuture<String> failure,
      Progress progress)
      throws InterruptedException {
    takeEarlier(files);
    progress.skipped(verdicts.size());
    BitSet earlier = (BitSet) finished.clone();
    startNs = System.nanoTime();
    try (Courier courier =
        KafkaCourier.open(
            bootstrap,
            Map.of(),
            Topics.DEFAULT,
            folder.run(),
            folder.checkpoint(),
            Math.max(100, options.concurrency() * IN_FLIGHT_FOR_EACH),
            MAX_BYTES_IN_FLIGHT,
            id -> isFinished(earlier, id),
            progress::note)) {
      // Before anything is sent, so that a later process knows where to look for answers.
      folder.append(courier.checkpoint());
      folder.force();
      begun = true;
      Evaluation evaluation =
          new Evaluation(
              courier,
              folder.run(),
              options.concurrency(),
              new Retries(options.retries(), Retries::sleep));
      endAt(failure, evaluation);
      evaluation.run(tasks, earlier, verdict -> take(verdict, files, courier), progress);
    } catch (UncheckedIOException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
    return new Summary(tasks, verdicts, options.ks(), elapsedMs() / 1e3);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What comes of it comes out of the evaluation.
  private static void endAt(CompletableFuture<String> failure, Evaluation evaluation) {
    failure.thenAccept(evaluation::fail);
  }

  /** Whether there is anything that a later process could go on with. */
  public boolean begun() {
    return begun || folder.resumed();
  }

  private static boolean isFinished(BitSet earlier, String requestId) {
    int index = TaskRequests.indexOf(requestId);
    return index >= 0 && earlier.get(index);
  }

  private void takeEarlier(ResultFiles files) {
    try {
      folder.forEachLine(
          line -> {
            VerdictJson.Entry entry = VerdictJson.entry(line);
            int index = entry.verdict().index();
            if (index >= tasks.size() || !tasks.get(index).id().equals(entry.verdict().task())) {
              throw new CommandException(
                  "the interrupted run had other tasks: --restart begins anew");
            }
            if (!finished.get(index)) {
              earlierMs = Math.max(earlierMs, entry.elapsedMs());
              keep(entry.verdict(), files);
            }
          });
    } catch (IOException e) {
      throw new CommandException("can't read the run's journal: " + e.getMessage(), e);
    }
  }

  private void keep(TaskVerdict verdict, ResultFiles files) {
    finished.set(verdict.index());
    verdicts.add(verdict);
    files.take(verdict);
  }

  private void take(TaskVerdict verdict, ResultFiles files, Courier courier) {
    folder.append(VerdictJson.task(verdict, elapsedMs()));
    keep(verdict, files);
    long nowNs = System.nanoTime();
    if (nowNs - checkpointNs >= CHECKPOINT_NS) {
      checkpointNs = nowNs;
      Checkpoint reached = courier.checkpoint();
      folder.append(reached);
    }
  }

  private long elapsedMs() {
    return earlierMs + (System.nanoTime() - startNs) / 1_000_000;
  }
}
