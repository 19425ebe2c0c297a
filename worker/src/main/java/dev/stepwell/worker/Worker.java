package dev.stepwell.worker;

import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.commit.CommitSettings;
import dev.stepwell.worker.commit.Committers;
import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.dispatch.DispatchSettings;
import dev.stepwell.worker.dispatch.Dispatcher;
import dev.stepwell.worker.dispatch.IntakeBudget;
import dev.stepwell.worker.execution.AdmissionSettings;
import dev.stepwell.worker.execution.Cancellations;
import dev.stepwell.worker.execution.ExecutionParts;
import dev.stepwell.worker.execution.ExecutionSettings;
import dev.stepwell.worker.execution.RequestRunner;
import dev.stepwell.worker.execution.StateParts;
import dev.stepwell.worker.intake.CancelIntake;
import dev.stepwell.worker.intake.IntakeSettings;
import dev.stepwell.worker.intake.RequestIntake;
import dev.stepwell.worker.pool.PoolFigures;
import dev.stepwell.worker.pool.SandboxPool;
import dev.stepwell.worker.sandbox.BackendCandidate;
import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.PieceStore;
import dev.stepwell.worker.state.Renewal;
import dev.stepwell.worker.state.store.StoreException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running worker: everything put together. Thread-safe.
 *
 * <p>Parts are made from the last one that a request meets to the first, so that none takes work
 * before what it hands it to is there, and are taken apart the other way round.
 */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final int POLL_RECORDS = 200;

  /** The largest result: two outputs of some megabytes, escaped. */
  private static final int RESULT_MAX_BYTES = 16 << 20;

  /** Decoded snapshots to remember, without their pieces. */
  private static final long SNAPSHOTS_IN_MEMORY = 64L << 20;

  /** No folder and no description of variables is larger. */
  private static final int SNAPSHOT_MAX_BYTES = 64 << 20;

  private static final long LOOK_EVERY_MS = 20;

  private static final Duration POOL_CLOSE = Duration.ofSeconds(10);

  private final WorkerConfig config;
  private final Sandboxes sandboxes;
  private final Closing closing = new Closing();
  private final CompletableFuture<RuntimeException> failure = new CompletableFuture<>();
  private final RequestIntake intake;
  private final SandboxPool pool;

  /**
   * Starts a worker. Blocks until Kafka and the backend have been found fit; partitions and
   * sandboxes come after, see {@link #awaitReady}.
   *
   * @throws WorkerStartException if it can't start; the message says why and what to do
   */
  public static Worker start(WorkerConfig config) throws InterruptedException {
    return start(config, Sandboxes.candidates(config));
  }

  /** The same, with other backends to choose from. */
  static Worker start(WorkerConfig config, List<BackendCandidate> backends)
      throws InterruptedException {
    return new Worker(config, backends);
  }

  private Worker(WorkerConfig config, List<BackendCandidate> backends) throws InterruptedException {
    this.config = config;
    try {
      KafkaConnection kafka = new KafkaConnection(config.workerId(), config.kafka());
      Admin admin = closing.add(Admin.create(kafka.admin()), "admin client", Admin::close);
      int partitions = TopicCheck.partitions(admin, config.kafka());
      this.sandboxes = closing.add(Sandboxes.open(config, backends), "backend", Sandboxes::close);
      this.pool = closing.add(sandboxes.pool(), "pool", opened -> opened.close(POOL_CLOSE));
      Cancellations cancellations = new Cancellations();
      StateParts state = state(kafka, admin);
      RequestRunner runner = runner(partitions, state, cancellations);
      ExecutorService slots =
          closing.add(slots(config.execution().slots()), "slots", ExecutorService::shutdownNow);
      IntakeBudget budget =
          new IntakeBudget(
              Math.max(POLL_RECORDS, config.intake().queueRecords()), config.intake().queueBytes());
      Dispatcher dispatcher =
          closing.add(
              new Dispatcher(
                  dispatchSettings(),
                  committers(kafka, admin, state.snapshots()),
                  runner,
                  slots,
                  budget),
              "dispatcher",
              Dispatcher::stop);
      IntakeSettings intakeSettings =
          new IntakeSettings(kafka, config.kafka().topics(), POLL_RECORDS, failure::complete);
      CancelIntake cancels =
          closing.add(
              new CancelIntake(
                  intakeSettings, partitions, new MessageCodec(), cancellations, Clock.systemUTC()),
              "cancel intake",
              CancelIntake::close);
      this.intake =
          closing.add(
              new RequestIntake(intakeSettings, dispatcher, budget, Clock.systemUTC()),
              "request intake",
              each -> each.close(Duration.ofMillis(config.execution().shutdownGraceMs())));
      dispatcher.start(intake);
      cancels.start();
      intake.start();
    } catch (RuntimeException | InterruptedException e) {
      closing.close();
      throw e;
    }
    log.info("worker {} started, {}", config.workerId(), sandboxes.description());
  }

  private StateParts state(KafkaConnection kafka, Admin admin) throws InterruptedException {
    long topicMs = TopicCheck.blobRetentionMs(admin, config.kafka());
    long storeMs = config.state().objectStore().retentionMs();
    try {
      PieceStore pieces =
          closing.add(
              PieceStore.open(config, kafka, Clock.systemUTC()), "pieces", PieceStore::close);
      return new StateParts(
          new SnapshotStore(
              (partition, offset, records) ->
                  pieces.records(partition, offset, records, SNAPSHOT_MAX_BYTES),
              SNAPSHOTS_IN_MEMORY),
          pieces,
          pieces.claimCheck(),
          new Renewal(topicMs, storeMs == 0 ? topicMs : storeMs));
    } catch (IOException | StoreException e) {
      throw new WorkerStartException("state has nowhere to go: " + e.getMessage(), e);
    }
  }

  private RequestRunner runner(int partitions, StateParts state, Cancellations cancellations) {
    AdmissionSettings admission =
        new AdmissionSettings(
            partitions,
            config.profiles(),
            config.kafka().topics().results(),
            config.kafka().allowedReplyTopics());
    ExecutionSettings settings =
        new ExecutionSettings(
            config.workerId(),
            config.execution().attemptsMax(),
            config.execution().takeTimeoutMs(),
            config.state().restoreTimeMs(),
            config.state().saveTimeMs(),
            RESULT_MAX_BYTES);
    return new RequestRunner(
        settings,
        new ExecutionParts(
            new MessageCodec(Math.toIntExact(config.kafka().messageMaxBytes())),
            config.kafka().topics(),
            admission,
            cancellations,
            pool,
            state),
        Clock.systemUTC());
  }

  private Committers committers(KafkaConnection kafka, Admin admin, SnapshotStore snapshots) {
    return new Committers(
        new CommitSettings(kafka, config.kafka().topics(), new MessageCodec(), snapshots),
        config.execution().commitConcurrency(),
        admin);
  }

  private DispatchSettings dispatchSettings() {
    WorkerConfig.Intake ahead = config.intake();
    return new DispatchSettings(
        config.execution().slots(),
        new DispatchSettings.PartitionLimits(
            ahead.partitionQueueRecords(), ahead.partitionQueueBytes(), ahead.partitionWindow()),
        failure::complete);
  }

  private static ExecutorService slots(int count) {
    AtomicInteger number = new AtomicInteger();
    return Executors.newFixedThreadPool(
        count,
        task -> {
          Thread thread = new Thread(task, "slot-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Waits until the worker has its partitions, all of them open, and a sandbox of the default
   * profile waits for a step. A pool that keeps none waiting never gets there.
   *
   * @return whether that was so within the time
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    long untilNanos = System.nanoTime() + timeout.toNanos();
    if (!intake.awaitFlowing(timeout)) {
      return false;
    }
    while (pool.figures().profiles().values().stream().anyMatch(Worker::bare)) {
      if (System.nanoTime() >= untilNanos || failure.isDone()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
    return true;
  }

  private static boolean bare(PoolFigures.OfProfile profile) {
    return profile.idle() == 0 && profile.wantedIdle() > 0;
  }

  /** Which backend runs the steps and why, one sentence. */
  public String backendDescription() {
    return sandboxes.description();
  }

  /** Completes with the fault that stopped the worker from taking work; never if there is none. */
  public CompletableFuture<RuntimeException> failure() {
    return failure.copy();
  }

  /**
   * Stops: takes nothing more, lets what runs finish within the grace period of the configuration,
   * gives the rest back for other workers, removes every sandbox. Blocks at most some twenty
   * seconds longer than the grace period. Idempotent.
   */
  @Override
  public void close() {
    closing.close();
  }
}
