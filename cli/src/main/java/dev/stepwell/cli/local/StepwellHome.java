package dev.stepwell.cli.local;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.Ending;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder that Stepwell runs from; immutable. {@code bin/stepwell} says where it is.
 *
 * @param folder its root
 */
public record StepwellHome(Path folder) {
  /**
   * The folder.
   *
   * @throws CommandException where nobody said, as in a container that has the jars alone
   */
  public static StepwellHome require() {
    String home = System.getProperty("stepwell.home");
    if (home == null) {
      throw new CommandException(
          "this command needs the rest of Stepwell: call it by bin/stepwell, or say where it is by"
              + " -Dstepwell.home");
    }
    return new StepwellHome(Path.of(home));
  }

  /** Where the broker's jars are. */
  Path brokerLib() {
    return folder.resolve(Path.of("broker", "target", "dist", "lib"));
  }

  /**
   * Runs a script with its output as ours, and gives its exit status.
   *
   * @param script its path under the folder
   */
  public int runScript(String script, List<String> arguments) {
    return await(script, start(script, arguments, ProcessBuilder.Redirect.INHERIT));
  }

  /**
   * Runs a script that says something on its standard output, its progress shown on ours for
   * errors.
   *
   * @return the last line of it
   * @throws CommandException if it fails; it has said why
   */
  String answerOfScript(String script, List<String> arguments) {
    List<String> lines = linesOfScript(script, arguments);
    return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
  }

  /**
   * The same.
   *
   * @return all lines of it
   * @throws CommandException if it fails; it has said why
   */
  public List<String> linesOfScript(String script, List<String> arguments) {
    Process process = start(script, arguments, ProcessBuilder.Redirect.PIPE);
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      throw new CommandException("can't read what " + script + " says: " + e.getMessage(), e);
    }
    int status = await(script, process);
    if (status != 0) {
      throw new CommandException(
          script + " " + String.join(" ", arguments) + " failed with status " + status);
    }
    return lines;
  }

  private Process start(
      String script, List<String> arguments, ProcessBuilder.Redirect standardOutput) {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve(script).toString());
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command)
          .redirectInput(Path.of("/dev/null").toFile())
          .redirectOutput(standardOutput)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new CommandException("can't run " + script + ": " + e.getMessage(), e);
    }
  }

  /** What ends us ends the script, which cleans up. */
  private static int await(String script, Process process) {
    Ending ending = Ending.watch(process::destroy);
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted while " + script + " ran", e);
    } finally {
      ending.close();
    }
  }
}
