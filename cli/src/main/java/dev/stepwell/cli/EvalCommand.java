package dev.stepwell.cli;

import dev.stepwell.cli.eval.Evaluation;
import dev.stepwell.cli.eval.HumanEvalTasks;
import dev.stepwell.cli.eval.JsonlTasks;
import dev.stepwell.cli.eval.Report;
import dev.stepwell.cli.eval.Tally;
import dev.stepwell.cli.eval.Task;
import dev.stepwell.cli.eval.TaskLimits;
import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.progress.ProgressDisplays;
import dev.stepwell.client.Stepwell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs many independent tasks and counts how they went. */
@Command(
    name = "eval",
    description = {
      "Runs the tasks of a file and counts how they went.",
      "Without --bootstrap it brings a broker and a worker of its own."
    })
final class EvalCommand implements Callable<Integer> {
  /** The forms of task files. */
  enum Format {
    HUMANEVAL,
    JSONL
  }

  /** More threads than this wait for each other. */
  private static final int MAX_CONCURRENCY = 256;

  /** A task may have to wait behind all the others that are in flight. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(20);

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Kafka.")
  private @Nullable String bootstrap;

  @Option(
      names = "--backend",
      defaultValue = "auto",
      description =
          "auto, docker, bubblewrap or enroot, for its own worker. Default: ${DEFAULT-VALUE}")
  private BackendName backend;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description =
          "Tasks at once, 1 to 256. Default: two a core; its own worker has as many slots.")
  private @Nullable Integer concurrency;

  @Option(
      names = "--format",
      defaultValue = "jsonl",
      description = "humaneval or jsonl, which docs/eval-format.md describes. Default: jsonl")
  private Format format;

  @Option(names = "--samples", paramLabel = "FILE", description = "Completions, for humaneval.")
  private @Nullable Path samples;

  @Option(names = "--out", paramLabel = "FILE", description = "Takes a line of JSON for each task.")
  private @Nullable Path out;

  @Option(
      names = "--timeout",
      defaultValue = "10s",
      description = "Wall-clock limit of each step. Default: ${DEFAULT-VALUE}")
  private Duration timeout;

  @Option(names = "--profile", description = "The kind of sandbox. Default: the worker's.")
  private @Nullable String profile;

  @Parameters(paramLabel = "TASKS", description = "The file with the tasks, gzip or plain.")
  private Path tasks;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int atOnce = atOnce();
    List<Task> read = read();
    if (read.isEmpty()) {
      throw new CommandException("there are no tasks in " + tasks);
    }
    // Opened before anything is started, so that a wrong name costs nothing.
    try (Writer results = out == null ? Writer.nullWriter() : Files.newBufferedWriter(out)) {
      if (bootstrap != null) {
        return run(bootstrap, read, atOnce, results);
      }
      List<String> profiles = profile == null ? List.of() : List.of(profile);
      try (LocalStack stack = LocalStack.start(LocalOptions.temporary(backend, profiles, atOnce))) {
        spec.commandLine().getErr().println("stepwell: backend " + stack.backendDescription());
        return run(stack.bootstrap(), read, atOnce, results);
      }
    }
  }

  private int atOnce() {
    int atOnce = concurrency == null ? 2 * Runtime.getRuntime().availableProcessors() : concurrency;
    if (atOnce < 1 || atOnce > MAX_CONCURRENCY) {
      throw new ParameterException(
          spec.commandLine(), "--concurrency is " + atOnce + ", must be 1 to " + MAX_CONCURRENCY);
    }
    return atOnce;
  }

  private List<Task> read() {
    TaskLimits limits = new TaskLimits(timeout, profile);
    return switch (format) {
      case HUMANEVAL -> HumanEvalTasks.read(tasks, samples, limits);
      case JSONL -> {
        if (samples != null) {
          throw new ParameterException(
              spec.commandLine(), "--samples goes with --format humaneval alone");
        }
        yield JsonlTasks.read(tasks, limits);
      }
    };
  }

  private int run(String kafka, List<Task> read, int atOnce, Writer results)
      throws InterruptedException {
    Report report;
    try (Stepwell client =
            Stepwell.builder(kafka)
                .clientId("stepwell-eval")
                .answerTimeout(ANSWER_TIMEOUT)
                .connect();
        Progress progress =
            ProgressDisplays.open("eval", "tasks", OptionalLong.of(read.size()), err())) {
      report = new Evaluation(client, atOnce, results).run(read, progress);
    }
    PrintWriter lines = spec.commandLine().getOut();
    report.unpassed().forEach(line -> lines.println(Printable.of(line)));
    report.lines().forEach(lines::println);
    return exitCode(report.tally());
  }

  private static int exitCode(Tally tally) {
    if (tally.infrastructure() > 0) {
      return ExitCodes.COULD_NOT_RUN;
    }
    return tally.failed() > 0 ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
