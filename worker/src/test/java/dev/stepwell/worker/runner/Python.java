package dev.stepwell.worker.runner;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The interpreter that the runner's tests use. */
final class Python {
  static final String PATH = "python3";

  private Python() {}

  /** Skips the test where there is no CPython that the runner runs on. */
  static void assumePresent() {
    assumeTrue(isPresent(), "no python3 of version 3.11 or newer on the path");
  }

  private static boolean isPresent() {
    String check = "import sys; sys.exit(sys.version_info < (3, 11))";
    try {
      Process process = new ProcessBuilder(PATH, "-c", check).start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
