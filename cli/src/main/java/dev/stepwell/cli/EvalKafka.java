package dev.stepwell.cli;

import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.Ending;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The Kafka that an evaluation uses, which may be its own; immutable. */
final class EvalKafka implements AutoCloseable {
  private final String bootstrap;
  private final @Nullable LocalStack stack;
  private final CompletableFuture<String> failure = new CompletableFuture<>();

  private EvalKafka(String bootstrap, @Nullable LocalStack stack) {
    this.bootstrap = bootstrap;
    this.stack = stack;
  }

  /** One that others run. */
  static EvalKafka at(String bootstrap) {
    return new EvalKafka(bootstrap, null);
  }

  /**
   * Starts one, with a worker.
   *
   * @throws CommandException saying what is missing or failed
   */
  static EvalKafka own(LocalOptions options) throws InterruptedException {
    LocalStack stack = LocalStack.start(options);
    EvalKafka own = new EvalKafka(stack.bootstrap(), stack);
    Thread watch = new Thread(() -> own.watch(stack), "eval watches its worker");
    watch.setDaemon(true);
    watch.start();
    return own;
  }

  private void watch(LocalStack watched) {
    String reason = watched.awaitFailure();
    if (!Ending.begun()) {
      failure.complete(reason);
    }
  }

  /** Where clients connect to: {@code HOST:PORT}. */
  String bootstrap() {
    return bootstrap;
  }

  /** What makes sandboxes and why; only of one that was started here. */
  String backendDescription() {
    return stack == null ? "" : stack.backendDescription();
  }

  /** Completes with a reason where nothing will be answered any more; only where that is known. */
  CompletableFuture<String> failure() {
    return failure;
  }

  @Override
  public void close() {
    if (stack != null) {
      stack.close();
    }
  }
}
