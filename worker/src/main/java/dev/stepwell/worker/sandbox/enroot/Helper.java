package dev.stepwell.worker.sandbox.enroot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs short programs as the sandboxes' user, to their end; immutable.
 *
 * @param user whose they are
 * @param environment all of theirs
 */
record Helper(SandboxUser user, Map<String, String> environment) {
  /** What of a program's output is kept; the rest is read and dropped. */
  private static final int OUTPUT_BYTES = 1 << 20;

  private static final long POLL_MS = 20;

  /**
   * How a program ended; immutable.
   *
   * @param status its exit status
   * @param output what it wrote, standard error included
   */
  record Answer(int status, String output) {}

  /**
   * Runs a program. Blocks until it ends.
   *
   * @param timeoutMs when it is killed, in milliseconds
   * @throws IOException if it can't be started, or takes longer
   * @throws InterruptedException if the thread was interrupted; the program was killed, not those
   *     that it had started
   */
  Answer run(long timeoutMs, List<String> command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(user.prefix());
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    try {
      return await(process, timeoutMs);
    } finally {
      process.destroyForcibly();
      process.getInputStream().close();
    }
  }

  /** Reads what is there and never waits for more: children may hold the stream open. */
  private static Answer await(Process process, long timeoutMs)
      throws IOException, InterruptedException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    boolean ended = false;
    while (!ended) {
      if (System.nanoTime() > deadline) {
        throw new IOException("it has not ended within " + timeoutMs + " ms");
      }
      ended = process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
      take(process.getInputStream(), output);
    }
    return new Answer(process.exitValue(), output.toString(StandardCharsets.UTF_8));
  }

  private static void take(InputStream from, ByteArrayOutputStream into) throws IOException {
    for (int there = from.available(); there > 0; there = from.available()) {
      byte[] more = from.readNBytes(there);
      into.write(more, 0, Math.min(more.length, OUTPUT_BYTES - into.size()));
    }
  }
}
