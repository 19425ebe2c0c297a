package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SandboxLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads, writes and removes the folder of one control group. */
final class CgroupFolder {
  static final String PROCESSES = "cgroup.procs";

  /** A killed process leaves its group a moment later; 500 times 2 ms is long past that moment. */
  private static final int REMOVE_ATTEMPTS = 500;

  private static final long REMOVE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Of the processes in a sandbox's group one is the launcher's, which waits outside. */
  private static final int OWN_PROCESSES = 1;

  private CgroupFolder() {}

  /** What a group must allow for the sandbox to have the processes it may. */
  static String processesWithOwn(SandboxLimits limits) {
    return Integer.toString(limits.processes() + OWN_PROCESSES);
  }

  /** Sets a control. */
  static void write(Path folder, String file, String value) throws IOException {
    Files.writeString(folder.resolve(file), value);
  }

  /** Sets a control if this kernel has it. */
  static void writeIfPresent(Path folder, String file, String value) throws IOException {
    if (Files.exists(folder.resolve(file))) {
      write(folder, file, value);
    }
  }

  /** A file that holds one number; empty if it isn't there or holds something else. */
  static OptionalLong number(Path folder, String file) {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(folder.resolve(file)).strip()));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** The number behind {@code key} in a file of lines "key number"; empty if there is none. */
  static OptionalLong number(Path folder, String file, String key) {
    try {
      return Files.readAllLines(folder.resolve(file)).stream()
          .map(line -> line.split(" ", -1))
          .filter(words -> words.length == 2 && words[0].equals(key))
          .mapToLong(words -> Long.parseLong(words[1]))
          .findFirst();
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Ends every process in the group and removes it; does nothing if it is gone.
   *
   * @throws IOException if it is still there
   */
  static void killAndRemove(Path folder) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Files.deleteIfExists(folder);
        return;
      } catch (IOException e) {
        if (attempt == REMOVE_ATTEMPTS) {
          throw e;
        }
        kill(folder);
        LockSupport.parkNanos(REMOVE_PAUSE_NS);
      }
    }
  }

  private static void kill(Path folder) throws IOException {
    try {
      writeIfPresent(folder, "cgroup.kill", "1");
      for (String pid : Files.readAllLines(folder.resolve(PROCESSES))) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (NoSuchFileException gone) {
      // What is gone needs no killing; the next attempt to remove it notices.
      return;
    }
  }
}
