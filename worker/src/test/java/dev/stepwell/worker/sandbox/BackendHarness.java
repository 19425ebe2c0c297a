package dev.stepwell.worker.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A backend under test, and what tests of it need. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BackendHarness {
  /** Limits that tests reach quickly. */
  protected static final SandboxLimits LIMITS = new SandboxLimits(128L << 20, 32, 2_000, 16L << 20);

  /** An argument of every command of this run, by which its processes are told from others. */
  private static final String MARKER = "contract-" + SandboxId.next();

  protected SandboxBackend backend;

  private final List<Sandbox> started = new ArrayList<>();

  /** Opens the backend under test. */
  protected abstract SandboxBackend open() throws Exception;

  /** Skips the tests, and says why, on a machine that can't run them. */
  protected void requireMachinery() throws Exception {}

  /** The interpreter in its sandboxes. */
  protected abstract String python();

  /** What of the sandbox is still there, other than processes. */
  protected abstract List<String> leftovers(String id) throws Exception;

  @BeforeAll
  void openBackend() throws Exception {
    requireMachinery();
    backend = open();
  }

  @AfterEach
  void destroyStarted() {
    started.forEach(Sandbox::destroy);
    started.clear();
  }

  @AfterAll
  void closeBackend() {
    if (backend != null) {
      backend.close();
    }
  }

  /** The usual profile, with folders that its sandboxes see. */
  protected Profile mounting(Map<String, Path> mounts) {
    return profile(LIMITS).withMounts(mounts);
  }

  protected Profile profile(SandboxLimits limits) {
    StepLimits.Bounds bounds = new StepLimits.Bounds(60_000, 1L << 30, 1 << 20, 1 << 20);
    return new Profile(
        "test",
        image(),
        null,
        python(),
        List.of(),
        Map.of("GREETING", "hello world", "EMPTY", ""),
        limits,
        new StepLimits(bounds, bounds));
  }

  protected String image() {
    return "none";
  }

  protected Sandbox start(String code, String... arguments) throws Exception {
    return start(LIMITS, code, arguments);
  }

  protected Sandbox start(SandboxLimits limits, String code, String... arguments) throws Exception {
    return start(profile(limits), code, arguments);
  }

  protected Sandbox start(Profile profile, String code, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(python(), "-I", "-c", code));
    command.addAll(List.of(arguments));
    command.add(MARKER);
    Sandbox sandbox = backend.create(profile, command);
    started.add(sandbox);
    return sandbox;
  }

  /** What the code prints until it ends. */
  protected String run(String code, String... arguments) throws Exception {
    return allOutput(start(code, arguments));
  }

  protected static String allOutput(Sandbox sandbox) throws IOException {
    String output = new String(sandbox.output().readAllBytes(), UTF_8);
    String errors = sandbox.diagnostics();
    return errors.isEmpty() ? output : output + "\n[standard error]\n" + errors;
  }

  protected static BufferedReader lines(Sandbox sandbox) {
    return new BufferedReader(new InputStreamReader(sandbox.output(), UTF_8));
  }

  /** Processes of this run's commands, seen from outside. */
  protected static List<String> processes() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> folders = Files.list(Path.of("/proc"))) {
      for (Path folder : folders.filter(path -> path.toString().matches("/proc/\\d+")).toList()) {
        try {
          if (Files.readString(folder.resolve("cmdline")).contains(MARKER)) {
            found.add(folder.toString());
          }
        } catch (IOException gone) {
          found.remove(folder.toString());
        }
      }
    }
    return found;
  }
}
