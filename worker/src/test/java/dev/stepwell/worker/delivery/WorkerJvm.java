package dev.stepwell.worker.delivery;

import dev.stepwell.worker.Worker;
import dev.stepwell.worker.config.WorkerConfig;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker in a JVM of its own, so that it can be killed as workers are killed. */
final class WorkerJvm implements AutoCloseable {
  private static final String READY = "worker is ready";
  private static final long END_SECONDS = 60;

  private final Process process;
  private final Path log;

  private WorkerJvm(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts one; returns before it is ready. */
  static WorkerJvm start(Map<String, String> settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(WorkerJvm.class.getName());
    settings.forEach((name, value) -> command.add(name + "=" + value));
    Path log = Files.createTempFile("stepwell-worker-", ".log");
    File file = log.toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(file).start();
    return new WorkerJvm(process, log);
  }

  /** Waits until it has partitions, or fails with what it said. */
  WorkerJvm awaitReady() throws IOException {
    Waiting.until("the worker is ready", () -> said(READY) || !process.isAlive());
    if (!said(READY)) {
      throw new IOException("the worker ended: " + Files.readString(log));
    }
    return this;
  }

  /** Whether its log has a line with this text. */
  boolean said(String text) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
      return reader.lines().anyMatch(line -> line.contains(text));
    }
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends it a signal by name, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  long pid() {
    return process.pid();
  }

  /** Ends it in good order, or kills it if it is dead set against that. */
  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS).join();
    // A frozen process doesn't hear.
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(log);
  }

  /** The child's side: settings as arguments. */
  public static void main(String[] settings) throws InterruptedException {
    Map<String, String> map = new HashMap<>();
    for (String each : settings) {
      int equals = each.indexOf('=');
      map.put(each.substring(0, equals), each.substring(equals + 1));
    }
    Worker worker = Worker.start(WorkerConfig.of(map));
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    if (worker.awaitReady(Duration.ofMinutes(2))) {
      System.out.println(READY);
    }
    new CountDownLatch(1).await();
  }
}
