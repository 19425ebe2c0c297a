package dev.stepwell.worker;

import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.runner.EchoBackend;
import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.BackendCandidate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A whole worker over real Kafka of which only the sandboxes are fake, as a program: for loads of a
 * million requests. Its arguments are a file of settings and, if steps are to take time, how many
 * milliseconds.
 */
public final class EchoWorker {
  private EchoWorker() {}

  /** Runs until it is told to stop. */
  public static void main(String[] arguments) throws Exception {
    long stepMs = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
    BackendCandidate echo =
        new BackendCandidate(
            "echo", () -> Availability.usable("a test wants it"), () -> new EchoBackend(stepMs));
    Worker worker = Worker.start(WorkerConfig.parse(Path.of(arguments[0])), List.of(echo));
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    if (worker.awaitReady(Duration.ofMinutes(2))) {
      System.out.println("worker is ready");
    }
    new CountDownLatch(1).await();
  }
}
