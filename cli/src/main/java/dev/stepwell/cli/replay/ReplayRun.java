package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.Comparison;
import dev.stepwell.cli.compare.Difference;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Checkpoint;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.KafkaCourier;
import dev.stepwell.cli.run.RunFolder;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.worker.archive.ArchiveException;
import dev.stepwell.worker.archive.SnapshotArchive;
import dev.stepwell.worker.config.WorkerConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Replays a log over Kafka, in a folder that remembers how far it is; immutable. */
public final class ReplayRun {
  private static final long MAX_BYTES_IN_FLIGHT = 64L << 20;

  /** Beyond the requests of the log: what is asked about sessions. */
  private static final int MORE_IN_FLIGHT = 64;

  /** In how many requests profiles are looked for before anything runs. */
  private static final int LOOKED_AT = 10_000;

  private static final String KAFKA = "kafka.";

  private final RecordedLog log;
  private final ReplayOptions options;
  private final RunFolder folder;

  /** A replay of a log. */
  public ReplayRun(RecordedLog log, ReplayOptions options, RunFolder folder) {
    this.log = log;
    this.options = options;
    this.folder = folder;
  }

  /** The profiles that the first requests of the log need here. */
  public static Set<String> profiles(RecordedLog log, Map<String, String> renamed)
      throws IOException {
    Set<String> names = new TreeSet<>();
    try (RecordedLog.Cursor<RecordedRequest> requests = log.requests()) {
      RecordedRequest next = requests.next();
      for (int i = 0; next != null && i < LOOKED_AT; i++) {
        if (next.request() instanceof ExecutionRequest step) {
          String name = step.profile() == null ? "" : step.profile();
          names.add(renamed.getOrDefault(name, name));
        }
        next = requests.next();
      }
    }
    names.remove("");
    return names;
  }

  /**
   * Replays it, or what is left of it.
   *
   * @param bootstrap where Kafka is
   * @param failure completes with a sentence where nothing will be answered any more
   * @throws CommandException if it can't be done
   */
  public ReplayOutcome run(String bootstrap, CompletableFuture<String> failure, Progress progress)
      throws IOException, InterruptedException {
    long startedAtMs = ReplayJournal.begun(folder, System.currentTimeMillis());
    Summary summary = new Summary(startedAtMs);
    Progressed progressed = ReplayJournal.read(folder, summary);
    progress.skipped(progressed.ordinals.cardinality());
    Map<String, String> installation = new HashMap<>(options.installation());
    installation.put("bootstrap.servers", bootstrap);
    try (Courier courier = courier(bootstrap, progressed, progress);
        SnapshotArchive archive = SnapshotArchive.open(WorkerConfig.of(installation))) {
      remember(courier);
      long orphans = replay(courier, archive, progressed, summary, failure, progress);
      return new ReplayOutcome(
          options.title(), startedAtMs, System.currentTimeMillis(), summary, orphans, log.tear());
    } catch (ArchiveException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (LogReadException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private Courier courier(String bootstrap, Progressed progressed, Progress progress) {
    Map<String, String> kafka = new HashMap<>();
    options
        .installation()
        .forEach(
            (name, value) -> {
              if (name.startsWith(KAFKA)) {
                kafka.put(name.substring(KAFKA.length()), value);
              }
            });
    return KafkaCourier.open(
        bootstrap,
        kafka,
        options.topics(),
        folder.run(),
        folder.checkpoint(),
        options.settings().maxInFlight() + MORE_IN_FLIGHT,
        MAX_BYTES_IN_FLIGHT,
        progressed.ids::contains,
        progress::note);
  }

  private void remember(Courier courier) {
    Checkpoint checkpoint = courier.checkpoint();
    folder.append(checkpoint);
    if (folder.checkpoint() == null) {
      // Before anything is sent: a later process must know where to look for it.
      folder.force();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Whoever completes it tells of a failure.
  private long replay(
      Courier courier,
      SnapshotArchive archive,
      Progressed progressed,
      Summary summary,
      CompletableFuture<String> failure,
      Progress progress)
      throws IOException, InterruptedException {
    RequestMapper mapper =
        new RequestMapper(
            folder.run(),
            options.profiles(),
            options.environment(),
            options.keepDeadlines(),
            System::currentTimeMillis);
    Replay replay =
        new Replay(
            log,
            courier,
            mapper,
            comparer(new LogStates(log, archive, courier, folder.run())),
            snapshot -> {
              try {
                return archive.restore(LogStates.copy(snapshot), log::piece);
              } catch (ArchiveException e) {
                throw new IOException(e.getMessage(), e);
              }
            },
            new ReplayJournal(folder, courier, progress, summary),
            progressed,
            options.settings(),
            () -> folder.append(courier.checkpoint()),
            System::currentTimeMillis,
            progress);
    failure.thenAccept(why -> replay.fail(new CommandException(why)));
    return replay.run();
  }

  private Comparer comparer(LogStates states) {
    String prefix = folder.run().text() + ".";
    Comparison comparison =
        new Comparison(options.rules(), states, text -> text.replace(prefix, ""));
    return new Comparer() {
      @Override
      public List<Difference> compare(
          Request request, ExecutionResult recorded, ExecutionResult replayed) {
        return new ArrayList<>(comparison.compare(request, recorded, replayed));
      }

      @Override
      public void recorded() {
        states.recorded();
      }
    };
  }
}
