package dev.stepwell.cli;

import dev.stepwell.cli.compare.IgnoreRules;
import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedLogs;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.progress.ProgressDisplays;
import dev.stepwell.cli.replay.ReplayOptions;
import dev.stepwell.cli.replay.ReplayOutcome;
import dev.stepwell.cli.replay.ReplayRun;
import dev.stepwell.cli.replay.ReplaySettings;
import dev.stepwell.cli.report.ReportPage;
import dev.stepwell.cli.run.RunFolder;
import dev.stepwell.cli.run.RunSubject;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes a log's requests again and compares the results. */
@Command(
    name = "replay",
    description = {
      "Publishes the requests of a recorded log again, and compares the results with the recorded"
          + " ones.",
      "Without --bootstrap it brings a broker and a worker of its own. docs/replay.md has more."
    },
    exitCodeList = {
      " 0:every result is as recorded",
      " 1:results differ",
      " 2:something could not run, or there was nothing to run"
    })
final class ReplayCommand implements Callable<Integer> {
  /** What becomes of deadlines. */
  enum Deadline {
    KEEP,
    DROP
  }

  private static final double MIN_SPEED = 0.1;
  private static final double MAX_SPEED = 1000;

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Kafka.")
  private @Nullable String bootstrap;

  @Option(
      names = "--prefix",
      paramLabel = "P",
      description = "What the topics' names begin with on that Kafka. Default: stepwell")
  private @Nullable String prefix;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A worker's settings, for that Kafka and its object store.")
  private @Nullable Path config;

  @Option(
      names = "--backend",
      defaultValue = "auto",
      description =
          "auto, docker, bubblewrap or enroot, for its own worker. Default: ${DEFAULT-VALUE}")
  private BackendName backend;

  @Option(
      names = "--speed",
      paramLabel = "SPEED",
      defaultValue = "max",
      description =
          "max: as fast as they are answered; original: at the recorded times; or how many times"
              + " as fast as that, 0.1 to 1000. Default: ${DEFAULT-VALUE}")
  private String speed;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "At most so many sessions and one-shots under way at once. Default: no limit")
  private @Nullable Integer sessions;

  @Option(names = "--session", paramLabel = "ID", description = "Only this session of the log.")
  private @Nullable String session;

  @Option(
      names = "--from-step",
      paramLabel = "N",
      defaultValue = "0",
      description = "Begin that session with its recorded state before this step.")
  private long fromStep;

  @Option(
      names = "--profile",
      paramLabel = "OLD=NEW",
      description = "Profile OLD of the log is NEW here; =NEW for requests that name none.")
  private Map<String, String> profiles = new TreeMap<>();

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description =
          "A variable whose value was left out of the log. Default: as in this command's"
              + " environment")
  private Map<String, String> environment = new TreeMap<>();

  @Option(
      names = "--ignore",
      paramLabel = "RULE",
      description = "What is known to vary, beside what the log says; docs/replay.md lists rules.")
  private List<String> ignore = new ArrayList<>();

  @Option(
      names = "--deadline",
      defaultValue = "drop",
      description =
          "What becomes of deadlines: drop, or keep as far from now as they were. Default:"
              + " ${DEFAULT-VALUE}")
  private Deadline deadline;

  @Mixin private InterruptedRunOptions interrupted = new InterruptedRunOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "Takes the outcome as JSON.")
  private @Nullable Path json;

  @Option(names = "--report", paramLabel = "FILE", description = "Takes a report in HTML.")
  private @Nullable Path report;

  @Parameters(
      paramLabel = "LOG",
      description = "A log of `stepwell record`, or lines of requests as JSON, gzip or plain.")
  private Path log;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunFolder.Mode mode = interrupted.mode(spec.commandLine());
    checkOptions();
    if (!Files.isRegularFile(log)) {
      throw new CommandException("there is no file " + log);
    }
    try (RecordedLog recorded = RecordedLogs.open(log)) {
      ReplayOptions options = options(recorded);
      RunSubject subject = subject();
      try (RunFolder folder = RunFolder.open(interrupted.folder(subject), subject, mode)) {
        ReplayOutcome outcome = run(recorded, options, folder);
        write(outcome);
        folder.delete();
        return outcome.exitCode();
      }
    }
  }

  private ReplayOutcome run(RecordedLog recorded, ReplayOptions options, RunFolder folder)
      throws IOException, InterruptedException {
    ReplayRun replay = new ReplayRun(recorded, options, folder);
    if (bootstrap != null) {
      return run(recorded, replay, bootstrap, new CompletableFuture<>());
    }
    List<String> needed = List.copyOf(ReplayRun.profiles(recorded, profiles));
    // Its broker's data outlives it, so that what was answered is found.
    LocalOptions local = new LocalOptions(backend, 0, folder.brokerFolder(), needed, 0);
    try (LocalStack stack = LocalStack.start(local)) {
      spec.commandLine().getErr().println("stepwell: backend " + stack.backendDescription());
      return run(
          recorded, replay, stack.bootstrap(), CompletableFuture.supplyAsync(stack::awaitFailure));
    }
  }

  private ReplayOutcome run(
      RecordedLog recorded, ReplayRun replay, String kafka, CompletableFuture<String> failure)
      throws IOException, InterruptedException {
    try (Progress progress =
        ProgressDisplays.open(
            "replay",
            "requests",
            session == null ? recorded.requestCount() : java.util.OptionalLong.empty(),
            spec.commandLine().getErr())) {
      return replay.run(kafka, failure, progress);
    }
  }

  private void write(ReplayOutcome outcome) throws IOException {
    if (json != null) {
      Files.writeString(json, outcome.json().toPrettyString() + System.lineSeparator());
    }
    if (report != null) {
      ReportPage.write(report, outcome.report());
    }
    outcome.lines().forEach(line -> spec.commandLine().getOut().println(Printable.of(line)));
  }

  private ReplayOptions options(RecordedLog recorded) throws IOException {
    List<String> rules = new ArrayList<>(recorded.header().ignore());
    rules.addAll(ignore);
    Map<String, String> variables = new HashMap<>(System.getenv());
    variables.putAll(environment);
    Map<String, String> installation = installation();
    return new ReplayOptions(
        log.getFileName().toString(),
        new Topics(installation.getOrDefault("topic.prefix", "stepwell")),
        installation,
        profiles,
        variables,
        deadline == Deadline.KEEP,
        IgnoreRules.of(rules),
        new ReplaySettings(
            ReplaySettings.IN_FLIGHT,
            factor(),
            sessions == null ? Integer.MAX_VALUE : sessions,
            session,
            fromStep));
  }

  private Map<String, String> installation() throws IOException {
    Map<String, String> settings = SettingsFile.read(config);
    if (prefix != null) {
      settings.put("topic.prefix", prefix);
    }
    return settings;
  }

  private void checkOptions() {
    if (sessions != null && sessions < 1) {
      throw refused("--sessions is " + sessions + ", must be at least 1");
    }
    if (fromStep < 0) {
      throw refused("--from-step is " + fromStep + ", must be at least 1");
    }
    if (fromStep > 0 && session == null) {
      throw refused("--from-step goes with --session alone");
    }
    if (bootstrap == null && (prefix != null || config != null)) {
      throw refused("--prefix and --config go with --bootstrap alone");
    }
  }

  private double factor() {
    if (speed.equals("max")) {
      return Double.POSITIVE_INFINITY;
    }
    if (speed.equals("original")) {
      return 1;
    }
    try {
      double factor = Double.parseDouble(speed);
      if (factor >= MIN_SPEED && factor <= MAX_SPEED) {
        return factor;
      }
    } catch (NumberFormatException e) {
      throw new ParameterException(spec.commandLine(), wrongSpeed(), e);
    }
    throw refused(wrongSpeed());
  }

  private String wrongSpeed() {
    return "--speed is '" + speed + "', must be max, original, or a number of 0.1 to 1000";
  }

  /**
   * What decides about the outcome, so that an interrupted run is only gone on with as it began.
   */
  private RunSubject subject() {
    List<String> decisive = new ArrayList<>();
    decisive.add("--session=" + (session == null ? "" : session));
    decisive.add("--from-step=" + fromStep);
    decisive.add("--deadline=" + deadline);
    decisive.add("--prefix=" + (prefix == null ? "" : prefix));
    decisive.add("--backend=" + (bootstrap == null ? backend.setting() : ""));
    new TreeMap<>(profiles).forEach((old, now) -> decisive.add("--profile=" + old + "=" + now));
    // Of variables the names alone: their values are kept out of files.
    new TreeMap<>(environment).keySet().forEach(name -> decisive.add("--env=" + name));
    ignore.forEach(rule -> decisive.add("--ignore=" + rule));
    return new RunSubject("replay", List.of(log), decisive, bootstrap);
  }

  private ParameterException refused(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
