package dev.stepwell.cli;

import dev.stepwell.cli.local.LocalWorker;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.Ending;
import dev.stepwell.worker.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a worker against any Kafka until it is told to stop. */
@Command(
    name = "worker",
    description = "Runs a worker in the foreground. docs/configuration.md has its settings.")
final class WorkerCommand implements Callable<Integer> {
  @Option(names = "--config", required = true, paramLabel = "FILE", description = "Its settings.")
  private Path config;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    LocalWorker worker = LocalWorker.start(WorkerConfig.parse(config));
    Ending ending = Ending.watch(worker);
    try {
      spec.commandLine().getErr().println("stepwell: backend " + worker.backendDescription());
      RuntimeException failure = worker.awaitFailure();
      throw new CommandException("the worker has stopped: " + failure.getMessage(), failure);
    } finally {
      ending.close();
    }
  }
}
