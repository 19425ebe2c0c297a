package dev.stepwell.worker;

import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.pool.SandboxPool;
import dev.stepwell.worker.runner.RunnerBoot;
import dev.stepwell.worker.runner.RunnerTimeouts;
import dev.stepwell.worker.sandbox.BackendCandidate;
import dev.stepwell.worker.sandbox.BackendChoice;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapBackend;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapSettings;
import dev.stepwell.worker.sandbox.docker.DockerBackend;
import dev.stepwell.worker.sandbox.docker.DockerSettings;
import dev.stepwell.worker.sandbox.enroot.EnrootBackend;
import dev.stepwell.worker.sandbox.enroot.EnrootSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sub-tree of a worker that makes sandboxes: the backend that was chosen, the runner's boot,
 * and the reaper. Thread-safe.
 */
final class Sandboxes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sandboxes.class);

  private static final long REAP_EVERY_SECONDS = 60;

  private final WorkerConfig config;
  private final BackendChoice choice;
  private final RunnerBoot boot;
  private final ScheduledExecutorService reaper;
  private final Future<?> reaping;

  private Sandboxes(WorkerConfig config, BackendChoice choice) {
    this.config = config;
    this.choice = choice;
    WorkerConfig.State state = config.state();
    RunnerTimeouts usual = RunnerTimeouts.DEFAULTS;
    this.boot =
        new RunnerBoot(
            choice.backend(),
            new RunnerTimeouts(
                usual.bootMs(),
                usual.aliveMs(),
                state.restoreTimeMs(),
                state.saveTimeMs(),
                usual.endMs()));
    this.reaper =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "reaper");
              thread.setDaemon(true);
              return thread;
            });
    this.reaping =
        reaper.scheduleWithFixedDelay(this::reap, 0, REAP_EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Chooses and opens the backend.
   *
   * @throws WorkerStartException if there is none to be had
   */
  static Sandboxes open(WorkerConfig config, List<BackendCandidate> candidates) {
    try {
      return new Sandboxes(config, BackendChoice.choose(config.backend().name(), candidates));
    } catch (SandboxException e) {
      throw new WorkerStartException(String.valueOf(e.getMessage()), e);
    }
  }

  /** In the order of preference; the one place that names backends. */
  static List<BackendCandidate> candidates(WorkerConfig config) {
    WorkerConfig.Backend backend = config.backend();
    BubblewrapSettings usual = BubblewrapSettings.defaults();
    Path bwrap = Path.of(backend.bubblewrapPath());
    return List.of(
        DockerBackend.candidate(docker(config)),
        BubblewrapBackend.candidate(
            new BubblewrapSettings(
                bwrap.isAbsolute() ? bwrap : usual.bwrap(),
                backend.scratchFolder(),
                usual.cgroups())),
        EnrootBackend.candidate(
            new EnrootSettings(
                Path.of(backend.enrootPath()),
                backend.enrootUser(),
                backend.scratchFolder(),
                EnrootSettings.defaults().cgroups())));
  }

  private static DockerSettings docker(WorkerConfig config) {
    DockerSettings usual = DockerSettings.defaults(config.workerId());
    String host = config.backend().dockerHost();
    return new DockerSettings(
        usual.workerId(),
        host.isEmpty() ? null : URI.create(host),
        usual.answerTimeout(),
        usual.lifetime(),
        config.backend().scratchFolder());
  }

  /** Starts to fill a pool; it is the caller's to close, before this. */
  SandboxPool pool() {
    return SandboxPool.start(boot, config.profiles().forPool(), config.pool());
  }

  /** Which backend, and why. */
  String description() {
    return choice.reason();
  }

  private void reap() {
    try {
      int removed = choice.backend().reap();
      if (removed > 0) {
        log.info("removed {} leftovers of workers that are gone", removed);
      }
    } catch (SandboxException e) {
      log.warn("leftovers of workers that are gone could not be removed", e);
    }
  }

  @Override
  public void close() {
    reaping.cancel(true);
    reaper.shutdownNow();
    boot.close();
    SandboxBackend backend = choice.backend();
    backend.close();
  }
}
