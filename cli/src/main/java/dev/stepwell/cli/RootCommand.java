package dev.stepwell.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code stepwell} itself, which does nothing without a command. */
@Command(
    name = "stepwell",
    description = "Runs code that models wrote, in sandboxes that live for one step each.",
    mixinStandardHelpOptions = true,
    version = "stepwell 0.1.0",
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      WorkerCommand.class,
      ExecCommand.class,
      EvalCommand.class,
      LoadCommand.class,
      RecordCommand.class,
      ReplayCommand.class,
      TopicsCommand.class,
      ImagesCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:all went as it should",
      " 1:a step or a task did not succeed",
      " 2:the command could not do its work"
    })
final class RootCommand implements Runnable {
  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show the log and, of failures, where they came from.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  /** Whether a command was called with {@code --verbose}. */
  static boolean verbose(CommandLine command) {
    CommandLine root = command;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return root.getCommand() instanceof RootCommand found && found.verbose;
  }
}
