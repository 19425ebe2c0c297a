package dev.stepwell.worker.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What defaults are computed from; immutable.
 *
 * @param cores processor cores
 * @param workerId an id that no other worker has
 * @param temporaryFolder where scratch files go
 */
record Machine(int cores, String workerId, Path temporaryFolder) {
  private static final Path HOST_NAME_FILE = Path.of("/proc/sys/kernel/hostname");
  private static final int RANDOM_BYTES = 3;

  /** Leaves room for the process id and the random part in a worker id's 63 characters. */
  private static final int MAX_HOST_NAME = 40;

  /** The machine that this process runs on. */
  static Machine current() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    String workerId =
        "%s-%d-%s"
            .formatted(hostName(), ProcessHandle.current().pid(), HexFormat.of().formatHex(random));
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        workerId,
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** Read from the kernel: a resolver could block, and this is only a label. */
  private static String hostName() {
    String name;
    try {
      name = Files.readString(HOST_NAME_FILE, StandardCharsets.UTF_8).strip();
    } catch (IOException noSuchKernel) {
      name = "";
    }
    String safe = name.replaceAll("[^A-Za-z0-9._-]", "-");
    if (safe.isEmpty()) {
      return "worker";
    }
    return safe.length() > MAX_HOST_NAME ? safe.substring(0, MAX_HOST_NAME) : safe;
  }
}
