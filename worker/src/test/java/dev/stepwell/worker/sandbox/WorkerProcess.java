package dev.stepwell.worker.sandbox;

import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapBackend;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapSettings;
import dev.stepwell.worker.sandbox.docker.DockerBackend;
import dev.stepwell.worker.sandbox.docker.DockerSettings;
import dev.stepwell.worker.sandbox.enroot.EnrootBackend;
import dev.stepwell.worker.sandbox.enroot.EnrootSettings;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A worker reduced to one sandbox, in a Java machine of its own that can be killed, or be another
 * user's. It prints the sandbox's id and how it is limited, then what the sandbox prints, and
 * stays.
 */
public final class WorkerProcess {
  private static final SandboxLimits LIMITS = new SandboxLimits(128L << 20, 32, 1_000, 16L << 20);

  private WorkerProcess() {}

  /** Arguments: backend, image, Python code, marker. */
  public static void main(String[] arguments) throws Exception {
    SandboxBackend backend = open(arguments[0]);
    StepLimits.Bounds bounds = new StepLimits.Bounds(1, 1, 1, 1);
    Profile profile =
        new Profile(
                "test",
                arguments[1],
                null,
                "/usr/bin/python3",
                List.of(),
                Map.of(),
                LIMITS,
                new StepLimits(bounds, bounds))
            .withSquashfs(Path.of(arguments[1]));
    Sandbox sandbox =
        backend.create(profile, List.of(profile.python(), "-I", "-c", arguments[2], arguments[3]));
    System.out.println(sandbox.id());
    System.out.println(sandbox.usage().enforcement());
    System.out.flush();
    sandbox.output().transferTo(System.out);
    System.out.println(sandbox.diagnostics());
    int end = System.in.read();
    System.exit(end);
  }

  /** The backend of that name; enroot's with its program and scratch folder after colons. */
  private static SandboxBackend open(String name) throws SandboxException {
    String[] parts = name.split(":", -1);
    return switch (parts[0]) {
      case DockerBackend.NAME -> DockerBackend.connect(DockerSettings.defaults("killed"));
      case EnrootBackend.NAME ->
          EnrootBackend.open(
              new EnrootSettings(Path.of(parts[1]), "nobody", Path.of(parts[2]), true));
      default -> BubblewrapBackend.open(BubblewrapSettings.defaults());
    };
  }

  /** Starts one as the user of this process, or as nobody. */
  public static Process start(boolean asNobody, Path folder, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    if (asNobody) {
      command.addAll(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"));
    }
    String java = Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
    String classPath = asNobody ? copyOfClassPath(folder) : System.getProperty("java.class.path");
    command.addAll(List.of(java, "-XX:TieredStopAtLevel=1", "-cp", String.valueOf(classPath)));
    command.add(WorkerProcess.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** What it prints. */
  public static BufferedReader lines(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Another user may not be able to read where this one's libraries are. */
  private static String copyOfClassPath(Path folder) throws Exception {
    List<String> copies = new ArrayList<>();
    for (Class<?> type :
        List.of(WorkerProcess.class, SandboxBackend.class, org.slf4j.LoggerFactory.class)) {
      Path source = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path copy = folder.resolve(copies.size() + ".jar");
      copies.add(copy.toString());
      copyTree(source, copy);
    }
    return copies.stream().collect(Collectors.joining(File.pathSeparator));
  }

  private static void copyTree(Path source, Path target) throws IOException {
    try (Stream<Path> paths = Files.walk(source)) {
      for (Path path : paths.toList()) {
        Path copy = target.resolve(source.relativize(path).toString());
        Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
