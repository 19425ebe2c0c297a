package dev.stepwell.worker.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/**
 * What defaults are computed from; immutable.
 *
 * @param cores processor cores
 * @param workerId an id that no other worker has
 * @param temporaryFolder where scratch files go
 * @param imageFolder where {@code stepwell images} leaves what it makes
 */
record Machine(int cores, String workerId, Path temporaryFolder, Path imageFolder) {
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
        Path.of(System.getProperty("java.io.tmpdir")),
        imageFolder(System.getenv(), root(), Path.of(System.getProperty("user.home"))));
  }

  /**
   * The folder that the scripts take, by the same rules.
   *
   * @param environment the variables of the process
   * @param home the user's home folder
   */
  static Path imageFolder(Map<String, String> environment, boolean root, Path home) {
    String chosen = environment.getOrDefault("STEPWELL_DATA", "");
    if (!chosen.isEmpty()) {
      return Path.of(chosen).toAbsolutePath().normalize();
    }
    if (root) {
      return Path.of("/var/lib/stepwell");
    }
    String shared = environment.getOrDefault("XDG_DATA_HOME", "");
    Path data = shared.isEmpty() ? home.resolve(Path.of(".local", "share")) : Path.of(shared);
    return data.resolve("stepwell").toAbsolutePath();
  }

  private static boolean root() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException e) {
      throw new UncheckedIOException("this process's own user can't be read", e);
    }
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
