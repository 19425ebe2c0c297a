package dev.stepwell.cli;

import dev.stepwell.cli.eval.EvalRun;
import dev.stepwell.cli.eval.HumanEvalTasks;
import dev.stepwell.cli.eval.JsonlTasks;
import dev.stepwell.cli.eval.ResultFiles;
import dev.stepwell.cli.eval.SampleCounts;
import dev.stepwell.cli.eval.Summary;
import dev.stepwell.cli.eval.Tally;
import dev.stepwell.cli.eval.Task;
import dev.stepwell.cli.eval.TaskLimits;
import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.progress.ProgressDisplays;
import dev.stepwell.cli.run.RunFolder;
import dev.stepwell.cli.run.RunSubject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  private static final int MAX_RETRIES = 20;

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

  @Option(
      names = "--k",
      paramLabel = "K",
      split = ",",
      description =
          "Tells pass@k for these numbers. Default: 1 and those of 5, 10, 25 and 100 that every"
              + " task has samples for.")
  private List<Integer> ks = List.of();

  @Mixin private EvalOutputs outputs = new EvalOutputs();

  @Option(
      names = "--retries",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "More tries after failures that are Stepwell's, 0 to 20. Default: ${DEFAULT-VALUE}")
  private int retries;

  @Mixin private InterruptedRunOptions interrupted = new InterruptedRunOptions();

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
    checkRetries();
    RunFolder.Mode mode = interrupted.mode(spec.commandLine());
    List<Task> read = read();
    if (read.isEmpty()) {
      throw new CommandException("there are no tasks in " + tasks);
    }
    EvalRun.Options options = new EvalRun.Options(atOnce, retries, ks(read));
    RunSubject subject = subject();
    try (RunFolder folder = RunFolder.open(interrupted.folder(subject), subject, mode)) {
      Summary summary = run(read, options, folder);
      outputs.writeReport(summary, String.valueOf(tasks.getFileName()));
      folder.delete();
      PrintWriter lines = spec.commandLine().getOut();
      summary.unpassed().forEach(line -> lines.println(Printable.of(line)));
      summary.lines().forEach(line -> lines.println(Printable.of(line)));
      return exitCode(summary.tally());
    }
  }

  private Summary run(List<Task> read, EvalRun.Options options, RunFolder folder)
      throws IOException, InterruptedException {
    EvalRun run = new EvalRun(read, folder);
    // Opened before anything is started, so that a wrong name costs nothing.
    try (ResultFiles files = outputs.open();
        EvalKafka kafka = kafka(folder, options.concurrency());
        Progress progress =
            ProgressDisplays.open("eval", "tasks", OptionalLong.of(read.size()), err())) {
      return run.run(kafka.bootstrap(), options, files, kafka.failure(), progress);
    } catch (CommandException e) {
      if (!run.begun()) {
        // There is nothing to go on with.
        folder.delete();
      }
      throw e;
    }
  }

  private EvalKafka kafka(RunFolder folder, int slots) throws InterruptedException {
    if (bootstrap != null) {
      return EvalKafka.at(bootstrap);
    }
    List<String> profiles = profile == null ? List.of() : List.of(profile);
    // Its broker's data outlives it, so that what was answered is found.
    EvalKafka own =
        EvalKafka.own(new LocalOptions(backend, 0, folder.brokerFolder(), profiles, slots));
    err().println("stepwell: backend " + own.backendDescription());
    return own;
  }

  private int atOnce() {
    int atOnce = concurrency == null ? 2 * Runtime.getRuntime().availableProcessors() : concurrency;
    if (atOnce < 1 || atOnce > MAX_CONCURRENCY) {
      throw refused("--concurrency is " + atOnce + ", must be 1 to " + MAX_CONCURRENCY);
    }
    return atOnce;
  }

  private List<Task> read() {
    TaskLimits limits = new TaskLimits(timeout, profile);
    return switch (format) {
      case HUMANEVAL -> HumanEvalTasks.read(tasks, samples, limits);
      case JSONL -> {
        if (samples != null) {
          throw refused("--samples goes with --format humaneval alone");
        }
        yield JsonlTasks.read(tasks, limits);
      }
    };
  }

  private void checkRetries() {
    if (retries < 0 || retries > MAX_RETRIES) {
      throw refused("--retries is " + retries + ", must be 0 to " + MAX_RETRIES);
    }
  }

  private List<Integer> ks(List<Task> read) {
    SampleCounts counts = SampleCounts.of(read);
    if (ks.isEmpty()) {
      return format == Format.HUMANEVAL || counts.most() > 1 ? counts.usual() : List.of();
    }
    for (int k : ks) {
      if (k < 1 || k > counts.most()) {
        throw refused(
            "--k is "
                + k
                + ", must be 1 to "
                + counts.most()
                + ": no task has more samples than that");
      }
    }
    return ks;
  }

  /** What decides about verdicts, so that an interrupted run is only gone on with as it began. */
  private RunSubject subject() {
    // A pipe can't be looked at twice; what it is called must do.
    List<Path> inputs =
        Stream.of(tasks, samples)
            .filter(each -> each != null && Files.isRegularFile(each))
            .toList();
    List<String> decisive = new ArrayList<>();
    decisive.add("--samples=" + (samples == null ? "" : samples));
    decisive.add("--format=" + format);
    decisive.add("--timeout=" + timeout);
    decisive.add("--retries=" + retries);
    decisive.add("--profile=" + (profile == null ? "" : profile));
    decisive.add("--backend=" + (bootstrap == null ? backend.setting() : ""));
    return new RunSubject("eval", inputs, decisive, bootstrap);
  }

  private ParameterException refused(String why) {
    return new ParameterException(spec.commandLine(), why);
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
