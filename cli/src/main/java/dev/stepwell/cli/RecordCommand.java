package dev.stepwell.cli;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.Ending;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.progress.ProgressDisplays;
import dev.stepwell.cli.record.RecordOptions;
import dev.stepwell.cli.record.RecordSummary;
import dev.stepwell.cli.record.Recorder;
import dev.stepwell.worker.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Records requests, their results and the state that belongs to them. */
@Command(
    name = "record",
    description = {
      "Records a range of requests with their results and snapshots into one file.",
      "docs/log-format.md describes it; zcat shows it."
    })
final class RecordCommand implements Callable<Integer> {
  @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Kafka.")
  private @Nullable String bootstrap;

  @Option(
      names = "--prefix",
      description = "What the topics' names begin with. Default: stepwell, or what --config says")
  private @Nullable String prefix;

  @Option(
      names = "--from",
      defaultValue = "earliest",
      paramLabel = "T",
      description = {
        "The first request: earliest, a time such as 2026-01-31T09:00:00Z, -15m for before now, or"
            + " PARTITION:OFFSET,... Default: earliest"
      })
  private String from;

  @Option(
      names = "--to",
      defaultValue = "latest",
      paramLabel = "T",
      description = "The first request behind the last one, likewise. Default: latest")
  private String to;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Only this session. May be repeated. Default: everything.")
  private List<String> sessions = List.of();

  @Option(
      names = "--state",
      defaultValue = "all",
      description =
          "Snapshots: all of the recorded steps, start for those that the sessions began with, or"
              + " none. Default: ${DEFAULT-VALUE}")
  private RecordOptions.States states;

  @Option(
      names = "--ignore",
      paramLabel = "RULE",
      description = "What is known to vary, for whoever compares. May be repeated.")
  private List<String> ignore = List.of();

  @Option(
      names = "--withhold",
      paramLabel = "NAME",
      description =
          "Environment variables with this in their names are secret too. May be repeated.")
  private List<String> withhold = List.of();

  @Option(
      names = "--secret-values",
      paramLabel = "FILE",
      description = "Texts that are secret wherever they are, one a line.")
  private @Nullable Path secretValues;

  @Option(
      names = "--wait",
      description = "How long to wait for results that are not there yet, such as 30s.")
  private @Nullable Duration answers;

  @Option(
      names = "--object-store",
      paramLabel = "URI",
      description = "The workers' object.store: s3://BUCKET/PREFIX or a folder.")
  private @Nullable String objectStore;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A worker's settings, for Kafka and the object store.")
  private @Nullable Path config;

  @Option(names = "--force", description = "Replace LOG if it is there.")
  private boolean force;

  @Option(names = "-o", required = true, paramLabel = "LOG", description = "The file to write.")
  private Path log;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    WorkerConfig installation = WorkerConfig.of(settings());
    if (Files.exists(log) && !force) {
      throw new CommandException(log + " is there already: give another name, or --force");
    }
    RecordOptions options =
        new RecordOptions(
            installation,
            from,
            to,
            Set.copyOf(sessions),
            states,
            ignore,
            withhold,
            SecretValues.read(secretValues),
            answers == null ? Duration.ZERO : answers,
            log,
            force);
    try (Progress progress =
        ProgressDisplays.open(
            "record", "messages", OptionalLong.empty(), spec.commandLine().getErr())) {
      record(new Recorder(options, progress), progress);
    }
    return ExitCodes.OK;
  }

  /** A signal ends the recording; the process stays until what there is has been told. */
  private void record(Recorder recorder, Progress progress)
      throws IOException, InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    Ending ending =
        Ending.watch(
            () -> {
              recorder.stop();
              told.await();
            });
    try {
      RecordSummary summary = recorder.record();
      progress.close();
      summary.lines(log.toString()).stream().map(Printable::of).forEach(this::print);
    } finally {
      told.countDown();
      ending.close();
    }
  }

  private Map<String, String> settings() throws IOException {
    Map<String, String> settings = SettingsFile.read(config);
    if (config == null && bootstrap == null) {
      throw new ParameterException(
          spec.commandLine(), "--bootstrap or --config must say where Kafka is");
    }
    put(settings, "bootstrap.servers", bootstrap);
    put(settings, "topic.prefix", prefix);
    put(settings, "object.store", objectStore);
    return settings;
  }

  private static void put(Map<String, String> settings, String name, @Nullable String value) {
    if (value != null) {
      settings.put(name, value);
    }
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
  }
}
