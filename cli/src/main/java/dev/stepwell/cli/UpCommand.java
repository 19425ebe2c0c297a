package dev.stepwell.cli;

import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.process.CommandException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a broker and a worker until it is told to stop. */
@Command(
    name = "up",
    description = "Runs a Kafka broker and a worker in the foreground, for use on this machine.")
final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "9092",
      description =
          "The broker's port on the loopback interface, 0 for any. Default: ${DEFAULT-VALUE}")
  private int port;

  @Option(
      names = "--backend",
      defaultValue = "auto",
      description = "auto, docker, bubblewrap or enroot. Default: ${DEFAULT-VALUE}")
  private BackendName backend;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where the broker keeps its data. Without it, nothing is kept.")
  private @Nullable Path data;

  @Option(
      names = "--profile",
      description = "A profile to get ready beside plain, such as data; may be repeated.")
  private List<String> profiles = List.of();

  @Option(names = "--slots", defaultValue = "0", description = "Steps at once; 0 is one a core.")
  private int slots;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    LocalOptions options = new LocalOptions(backend, port, data, profiles, slots);
    try (LocalStack stack = LocalStack.start(options)) {
      err.println("stepwell: backend " + stack.backendDescription());
      out.println("ready: bootstrap=" + stack.bootstrap());
      throw new CommandException(stack.awaitFailure());
    }
  }
}
