package dev.stepwell.cli.replay;

import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Checkpoint;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Answers on a thread of its own, in the order of publication, once it is let. */
final class FakeCourier implements Courier {
  /** What was published; guarded by itself. */
  final List<Request> sent = new ArrayList<>();

  /** What is finished; guarded by {@link #sent}. */
  final List<String> finished = new ArrayList<>();

  /** When each was published, by the test's clock; guarded by {@link #sent}. */
  final List<Long> sentAtMs = new ArrayList<>();

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Function<Request, ExecutionResult> worker;
  private final boolean remembers;
  private final LongSupplier clockMs;

  FakeCourier(Function<Request, ExecutionResult> worker) {
    this(worker, true);
  }

  FakeCourier(Function<Request, ExecutionResult> worker, boolean remembers) {
    this(worker, remembers, () -> 0);
  }

  FakeCourier(Function<Request, ExecutionResult> worker, boolean remembers, LongSupplier clockMs) {
    this.worker = worker;
    this.remembers = remembers;
    this.clockMs = clockMs;
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    if (remembers) {
      synchronized (sent) {
        sent.add(request);
        sentAtMs.add(clockMs.getAsLong());
      }
    }
    return CompletableFuture.supplyAsync(() -> new Answer(worker.apply(request), 1, 2), thread);
  }

  @Override
  public void sendAgain(Request request, int copy) {
    synchronized (sent) {
      sent.add(request);
    }
  }

  @Override
  public void finish(String requestId) {
    if (remembers) {
      synchronized (sent) {
        finished.add(requestId);
      }
    }
  }

  @Override
  public Checkpoint checkpoint() {
    return new Checkpoint(List.of(0L), List.of(0L));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
