package dev.stepwell.cli;

import dev.stepwell.cli.run.RunFolder;
import dev.stepwell.cli.run.RunSubject;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What to do about a run that was interrupted; filled in by picocli. */
final class InterruptedRunOptions {
  @Option(names = "--resume", description = "Goes on where the same command was interrupted.")
  private boolean resume;

  @Option(names = "--restart", description = "Drops what was interrupted, and begins anew.")
  private boolean restart;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Remembers how far it is. Default: a folder in ~/.local/state/stepwell/runs.")
  private @Nullable Path work;

  /**
   * What to do about one.
   *
   * @throws ParameterException if two things are asked for
   */
  RunFolder.Mode mode(CommandLine command) {
    if (resume && restart) {
      throw new ParameterException(command, "--resume and --restart can't both be there");
    }
    if (resume) {
      return RunFolder.Mode.RESUME;
    }
    return restart ? RunFolder.Mode.RESTART : RunFolder.Mode.FRESH;
  }

  /** Where a run of this is remembered. */
  Path folder(RunSubject subject) {
    return work == null ? subject.defaultFolder(System.getenv()) : work;
  }
}
