package dev.stepwell.worker.delivery;

import java.util.UUID;

/** A command that can be recognised among the machine's processes while it runs in a sandbox. */
final class Marked {
  private final String mark = "marked-" + UUID.randomUUID();

  /** A shell command that sleeps so many seconds under the mark. */
  String sleepFor(String seconds) {
    // The trailing command keeps the shell, which has the mark among its arguments, from being
    // replaced by the sleep.
    return "sleep " + seconds + "; : " + mark;
  }

  void awaitRunning() {
    Waiting.until("a sandbox runs " + mark, this::running);
  }

  void awaitGone() {
    Waiting.until("no sandbox runs " + mark, () -> !running());
  }

  boolean running() {
    return ProcessHandle.allProcesses()
        .anyMatch(process -> process.info().commandLine().orElse("").contains(mark));
  }
}
