package dev.stepwell.broker;

import static java.util.Objects.requireNonNullElse;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The child process behind {@link BrokerProcess}, which may never become ready; immutable.
 *
 * @param process the child
 * @param dataFolder where it keeps its data
 * @param temporary whether the folder goes with it
 * @param address completes with its address when it serves, or exceptionally when it ends before
 */
record BrokerChild(
    Process process, Path dataFolder, boolean temporary, CompletableFuture<String> address) {
  /** Heap for several messages of the largest size beside what an idle broker needs. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+ExitOnOutOfMemoryError",
          "-Djava.awt.headless=true");

  /**
   * Ctrl-C goes to every process of the terminal, and the broker has to stay until those that use
   * it have left.
   */
  private static final List<String> DEAF_TO_THE_TERMINAL =
      List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

  private static final String READY = "ready: ";
  private static final long END_LIMIT_SECONDS = 12;
  private static final int QUOTED_LINES = 20;
  private static final int QUOTED_LOG_CHARACTERS = 2000;

  static BrokerChild start(Path libFolder, int port, @Nullable Path dataFolder) throws IOException {
    if (!Files.isDirectory(libFolder)) {
      throw new IOException("there is no broker in " + libFolder + ": build it with mvn package");
    }
    boolean temporary = dataFolder == null;
    Path folder =
        temporary
            ? Files.createTempDirectory("stepwell-broker-")
            : Files.createDirectories(dataFolder);
    List<String> command = new ArrayList<>(DEAF_TO_THE_TERMINAL);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.addAll(List.of("-cp", libFolder + "/*", "dev.stepwell.broker.BrokerMain"));
    command.addAll(List.of("--port=" + port, "--data=" + folder));
    if (temporary) {
      command.add("--temporary");
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new BrokerChild(process, folder, temporary, watchOutput(process));
  }

  /** Waits for the address; says what the child said where there is none. */
  String awaitReady(Duration timeout) throws IOException {
    try {
      return address.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "the broker did not start within " + timeout.toSeconds() + " s: " + endOfLog(), e);
    } catch (ExecutionException e) {
      throw new IOException(
          "the broker did not start: " + requireNonNullElse(e.getCause(), e).getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the broker started", e);
    }
  }

  /** Asks the child to leave, waits, and kills it where it doesn't. */
  void end() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      if (temporary) {
        Folders.delete(dataFolder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't clear up after the broker", e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static CompletableFuture<String> watchOutput(Process process) {
    CompletableFuture<String> address = new CompletableFuture<>();
    Thread watcher = new Thread(() -> readOutput(process, address), "broker output");
    watcher.setDaemon(true);
    watcher.start();
    return address;
  }

  /** What a broker says before it serves is why it doesn't. */
  private static void readOutput(Process process, CompletableFuture<String> address) {
    Deque<String> lines = new ArrayDeque<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(READY)) {
          address.complete(line.substring(READY.length()));
        } else if (lines.size() < QUOTED_LINES) {
          lines.add(line);
        }
      }
      address.completeExceptionally(new IOException(String.join(System.lineSeparator(), lines)));
    } catch (IOException e) {
      address.completeExceptionally(e);
    }
  }

  private String endOfLog() {
    try {
      String log = Files.readString(dataFolder.resolve("broker.log"));
      return log.substring(Math.max(0, log.length() - QUOTED_LOG_CHARACTERS)).strip();
    } catch (IOException e) {
      return "it has no log: " + e.getMessage();
    }
  }
}
