package dev.stepwell.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line as a process, as {@code bin/stepwell} runs it; its files are the test's. */
final class CliProcess implements AutoCloseable {
  private static final long LIMIT_SECONDS = 180;

  private final Process process;
  private final Path out;
  private final Path err;

  private CliProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a command.
   *
   * @param folder takes its output; its temporary folder is {@code tmp} in there
   */
  static CliProcess start(Path folder, String... arguments) throws IOException {
    return start(folder, Map.of(), arguments);
  }

  /** The same, with variables beside those of this process. */
  static CliProcess start(Path folder, Map<String, String> variables, String... arguments)
      throws IOException {
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    Path home = Path.of("..").toAbsolutePath().normalize();
    // Ctrl-C must reach it also where whoever runs the tests is deaf to it.
    List<String> command = new ArrayList<>(List.of("/usr/bin/env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Djava.io.tmpdir=" + temporary));
    command.add("-Dstepwell.home=" + home);
    command.addAll(List.of("-cp", home.resolve("cli/target/dist/lib") + "/*"));
    command.add("dev.stepwell.cli.Main");
    command.addAll(List.of(arguments));
    return startCommand(folder, variables, command);
  }

  /** Any command; its output goes to files in the folder. */
  static CliProcess startCommand(Path folder, Map<String, String> variables, List<String> command)
      throws IOException {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    // What an evaluation remembers is the test's too.
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    builder.environment().putAll(variables);
    return new CliProcess(builder.start(), out, err);
  }

  /** Runs a command to its end. */
  static CliProcess run(Path folder, String... arguments) throws IOException, InterruptedException {
    CliProcess process = start(folder, arguments);
    process.exitCode();
    return process;
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running after " + LIMIT_SECONDS + " s");
    }
    return process.exitValue();
  }

  Process process() {
    return process;
  }

  String out() throws IOException {
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  String err() throws IOException {
    return Files.readString(err, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
