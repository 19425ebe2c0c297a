package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.worker.pool.PoolException;
import dev.stepwell.worker.pool.SandboxPool;
import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.runner.StateCaps;
import dev.stepwell.worker.runner.StateUnavailableException;
import dev.stepwell.worker.runner.StepReport;
import dev.stepwell.worker.runner.StepState;
import dev.stepwell.worker.runner.StepTask;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.SandboxUsage;
import dev.stepwell.worker.sandbox.StateLimits;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.workspace.RefusedPathException;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an admitted request in a sandbox. Immutable and thread-safe; blocks the calling slot thread.
 *
 * <p>Everything up to the moment when the step's code is about to start is tried a few times. From
 * then on nothing is: what happens to the code is its result.
 */
final class StepRunner {
  private static final Logger log = LoggerFactory.getLogger(StepRunner.class);

  private static final int LOOKS = 10;
  private static final long LOOK_EVERY_MS = 30;

  private static final int TRIES = 3;
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
  private static final double JITTER = 0.5;

  private final ExecutionSettings settings;
  private final SandboxPool pool;
  private final StateParts state;
  private final Leavings leavings;
  private final Clock clock;
  private final RetryConfig retries =
      RetryConfig.custom()
          .maxAttempts(TRIES)
          .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(FIRST_BACKOFF, 2, JITTER))
          .retryOnException(StepRunner::mayPass)
          .build();

  StepRunner(ExecutionSettings settings, SandboxPool pool, StateParts state, Clock clock) {
    this.settings = settings;
    this.pool = pool;
    this.state = state;
    this.leavings = new Leavings(state, settings.saveTimeMs(), clock);
    this.clock = clock;
  }

  /** Runs the step and writes what came of it into the run's draft. */
  void run(StepRun run, Admission.Admitted admitted) throws InterruptedException {
    try {
      Retry.of("start", retries)
          .executeCheckedSupplier(
              () -> {
                runOnce(run, admitted);
                return true;
              });
    } catch (SnapshotException e) {
      run.draft().failedBeforeStart(ErrorCode.STATE_UNREADABLE, String.valueOf(e.getMessage()));
    } catch (SandboxException | PoolException e) {
      log.warn("request {}: no sandbox", run.request().requestId(), e);
      run.draft().failedBeforeStart(ErrorCode.NO_SANDBOX, String.valueOf(e.getMessage()));
    } catch (InterruptedException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("undeclared", e);
    }
  }

  private static boolean mayPass(Throwable failure) {
    if (failure instanceof SandboxException sandbox) {
      return !sandbox.permanent();
    }
    return failure instanceof SnapshotException snapshot && !snapshot.permanent();
  }

  private void runOnce(StepRun run, Admission.Admitted admitted)
      throws SandboxException, SnapshotException, PoolException, InterruptedException {
    // The state is read before a sandbox is taken, so that none waits for Kafka.
    try (Checkout checkout = Checkout.open(state, run.startsFrom())) {
      putFiles(run.request().files(), admitted, checkout);
      ReadyRunner runner =
          pool.take(admitted.profile().name(), Duration.ofMillis(settings.takeTimeoutMs()));
      run.watch().acquired();
      try {
        if (!run.step().hold(runner)) {
          run.cancelled(false);
          return;
        }
        run.draft().sandbox(runner.id());
        StepReport report = converse(runner, task(run, admitted, checkout));
        SandboxUsage usage = usage(report, runner.sandbox());
        run.watch().ran(report.measures().ranMs(), report.measures().saveMs());
        Verdicts.write(run, admitted, report, usage);
        leavings.take(run, admitted, report, checkout);
      } finally {
        run.step().letGo();
        pool.retire(runner);
      }
    }
  }

  private void putFiles(List<FileInput> files, Admission.Admitted admitted, Checkout checkout)
      throws SnapshotException {
    if (!files.isEmpty()) {
      try {
        checkout.put(files, clock.millis());
      } catch (RefusedPathException e) {
        throw new InvalidMessageException(
            ErrorCode.FILE_REFUSED, "files", String.valueOf(e.getMessage()));
      }
      WorkspaceCaps.check(checkout.files(), admitted.profile().stateLimits(), "files");
    }
  }

  private static StepReport converse(ReadyRunner runner, StepTask task)
      throws SandboxException, SnapshotException, InterruptedException {
    try {
      return runner.run(task, () -> {});
    } catch (StateUnavailableException e) {
      boolean permanent =
          e.getCause() != null
              && e.getCause().getCause() instanceof SnapshotException known
              && known.permanent();
      throw new SnapshotException(String.valueOf(e.getMessage()), e, permanent);
    }
  }

  /**
   * What the sandbox used. Some backends hear of a kill for memory a little later than of the end
   * of the process that it hit, so one that was killed and not by us gets a second look.
   */
  private static SandboxUsage usage(StepReport report, Sandbox sandbox)
      throws InterruptedException {
    SandboxUsage usage = sandbox.usage();
    for (int look = 0; look < LOOKS && Verdicts.mayBeMemoryKill(report, usage); look++) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      usage = sandbox.usage();
    }
    return usage;
  }

  private static StepTask task(StepRun run, Admission.Admitted admitted, Checkout checkout) {
    ExecutionRequest request = run.request();
    String stdin = request.stdin();
    return new StepTask(
        request.kind(),
        run.number(),
        request.source() == null ? "" : request.source(),
        request.prelude(),
        request.argv(),
        stdin == null ? new byte[0] : stdin.getBytes(StandardCharsets.UTF_8),
        request.environment(),
        admitted.limits(),
        state(run, admitted, checkout));
  }

  private static StepState state(StepRun run, Admission.Admitted admitted, Checkout checkout) {
    ExecutionRequest request = run.request();
    StateLimits limits = admitted.profile().stateLimits();
    long stateBytes = request.oneShot() ? 0 : admitted.limits().stateBytes();
    StateCaps caps =
        new StateCaps(
            stateBytes,
            limits.newBytes(),
            limits.components(),
            Math.toIntExact(limits.manifestBytes()),
            limits.fileBytes(),
            limits.files(),
            request.strictState());
    boolean reportsFiles = stateBytes > 0 || !request.artifacts().isEmpty();
    return checkout.forRunner(caps, reportsFiles, run.reseed());
  }
}
