package dev.stepwell.cli.local;

import dev.stepwell.broker.BrokerProcess;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.Ending;
import dev.stepwell.client.Results;
import dev.stepwell.client.Stepwell;
import dev.stepwell.client.StepwellException;
import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A broker and a worker on this machine, ready to answer; thread-safe. It is closed also when a
 * signal ends the process: first the worker, then the broker, then their temporary folders.
 */
public final class LocalStack implements AutoCloseable {
  /** Enough for one machine's worth of sessions; every partition costs time at the start. */
  private static final int PARTITIONS = 4;

  private static final Duration BROKER_START = Duration.ofMinutes(1);
  private static final Duration WORKER_START = Duration.ofMinutes(2);
  private static final Duration FIRST_ANSWER = Duration.ofMinutes(2);

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private final BrokerProcess broker;
  private final LocalWorker worker;
  private final Ending ending;

  private LocalStack(BrokerProcess broker, LocalWorker worker, Ending ending) {
    this.broker = broker;
    this.worker = worker;
    this.ending = ending;
  }

  /**
   * Gets the machine ready, starts everything, and returns when a request has been answered; where
   * an earlier broker left data, when the worker takes requests.
   *
   * @throws CommandException saying what is missing or failed
   */
  public static LocalStack start(LocalOptions options) throws InterruptedException {
    StepwellHome home = StepwellHome.require();
    Map<String, String> prepared = Preparation.prepare(home, options.backend(), options.profiles());
    boolean goesOn = hasData(options.dataFolder());
    OpenedParts parts = new OpenedParts();
    Ending ending = Ending.watch(parts);
    try {
      Path scratch =
          parts.add(TemporaryFolder.createPassable(TEMPORARY, "stepwell-worker-")).path();
      BrokerProcess broker =
          parts.add(
              BrokerProcess.start(
                  home.brokerLib(), options.port(), options.dataFolder(), BROKER_START));
      new TopicCreation(Topics.DEFAULT, PARTITIONS, (short) 1).create(broker.bootstrap());
      WorkerConfig config = WorkerConfig.of(settings(options, broker, scratch, prepared));
      LocalWorker worker = parts.add(LocalWorker.start(config));
      awaitReady(worker);
      if (!goesOn) {
        awaitFirstAnswer(broker.bootstrap());
      }
      return new LocalStack(broker, worker, ending);
    } catch (IOException e) {
      ending.close();
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException | InterruptedException e) {
      ending.close();
      throw e;
    }
  }

  private static Map<String, String> settings(
      LocalOptions options, BrokerProcess broker, Path scratch, Map<String, String> prepared) {
    Map<String, String> settings = new HashMap<>(prepared);
    settings.put("bootstrap.servers", broker.bootstrap());
    settings.put("backend", options.backend().setting());
    settings.put("scratch.folder", scratch.toString());
    // Whoever ends a command on this machine doesn't wait for what still runs.
    settings.put("shutdown.grace", "1s");
    if (options.slots() > 0) {
      settings.put("slots", Integer.toString(options.slots()));
    }
    return settings;
  }

  /** What an earlier broker left may be thousands of requests, which would be answered first. */
  private static boolean hasData(@Nullable Path folder) {
    String[] names = folder == null ? null : folder.toFile().list();
    return names != null && names.length > 0;
  }

  private static void awaitReady(LocalWorker worker) throws InterruptedException {
    if (!worker.awaitReady(WORKER_START)) {
      throw new CommandException(
          "the worker is not ready after "
              + WORKER_START.toMinutes()
              + " minutes: --verbose shows why");
    }
  }

  /** A worker that has its partitions may still have no sandbox to show for it. */
  private static void awaitFirstAnswer(String bootstrap) {
    try (Stepwell client =
        Stepwell.builder(bootstrap)
            .clientId("stepwell-first-answer")
            .answerTimeout(FIRST_ANSWER)
            .connect()) {
      Results.orThrow(client.run("pass"));
    } catch (StepwellException e) {
      throw new CommandException("the worker doesn't run steps: " + e.getMessage(), e);
    }
  }

  /** Where clients connect to: {@code HOST:PORT}. */
  public String bootstrap() {
    return broker.bootstrap();
  }

  /** Which backend the worker uses, and why. */
  public String backendDescription() {
    return worker.backendDescription();
  }

  /** Waits until something fails that keeps requests from being answered; says what. */
  public String awaitFailure() {
    CompletableFuture<String> brokerEnded =
        broker.ended().thenApply(ignored -> "the broker has ended");
    CompletableFuture<String> workerFailed =
        worker.failure().thenApply(failure -> "the worker has stopped: " + failure.getMessage());
    return brokerEnded.applyToEither(workerFailed, reason -> reason).join();
  }

  /** Ends everything. The second time there is nothing to do. */
  @Override
  public void close() {
    ending.close();
  }
}
