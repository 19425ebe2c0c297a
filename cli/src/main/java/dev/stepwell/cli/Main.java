package dev.stepwell.cli;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.Ending;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.client.StepwellException;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.worker.WorkerStartException;
import dev.stepwell.worker.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** Where the command line begins. */
public final class Main {
  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] arguments) {
    setLogLevel(List.of(arguments));
    CommandLine commands =
        commandLine(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    System.exit(commands.execute(arguments));
  }

  /** The commands, printing where they are told to. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine commands = new CommandLine(new RootCommand());
    commands.registerConverter(Duration.class, Durations::parse);
    commands.setCaseInsensitiveEnumValuesAllowed(true);
    commands.setOut(out);
    commands.setErr(err);
    commands.setExecutionExceptionHandler(Main::report);
    commands.setExitCodeExceptionMapper(failure -> ExitCodes.COULD_NOT_RUN);
    return commands;
  }

  /**
   * One sentence for what was foreseen, and a stack trace only for what was not or if asked for.
   */
  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    if (Ending.begun()) {
      // What fails because everything is being closed is no news.
      return ExitCodes.COULD_NOT_RUN;
    }
    command.getErr().println("stepwell: " + failure.getMessage());
    if (!foreseen(failure) || RootCommand.verbose(command)) {
      failure.printStackTrace(command.getErr());
    }
    return ExitCodes.COULD_NOT_RUN;
  }

  private static boolean foreseen(Exception failure) {
    return failure instanceof CommandException
        || failure instanceof StepwellException
        || failure instanceof InvalidMessageException
        || failure instanceof WorkerStartException
        || failure instanceof ConfigException
        || failure instanceof IOException;
  }

  /** Before the first logger is made. A worker's log is what its operator sees of it. */
  private static void setLogLevel(List<String> arguments) {
    boolean verbose = arguments.contains("--verbose");
    boolean worker = !arguments.isEmpty() && arguments.get(0).equals("worker");
    System.setProperty("stepwell.log.level", verbose ? "DEBUG" : worker ? "INFO" : "ERROR");
    System.setProperty("stepwell.log.kafka", verbose ? "INFO" : worker ? "WARN" : "OFF");
  }
}
