package dev.stepwell.cli;

import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.StepwellHome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes what sandboxes run from. */
@Command(
    name = "images",
    description = "Makes the images and root folders that sandboxes run from.",
    subcommands = ImagesCommand.Build.class,
    synopsisSubcommandLabel = "build PROFILE")
final class ImagesCommand {
  /** {@code images build}. */
  @Command(name = "build", description = "Makes the image or root folder of a profile.")
  static final class Build implements Callable<Integer> {
    @Parameters(paramLabel = "PROFILE", description = "plain or data.")
    private String profile;

    @Option(
        names = "--backend",
        description = "docker or bubblewrap; without it docker where an engine answers.")
    private @Nullable BackendName backend;

    @Option(names = "--force", description = "Make it anew though it is there.")
    private boolean force;

    @Override
    public Integer call() {
      List<String> arguments = new ArrayList<>(List.of(profile));
      if (backend != null && backend != BackendName.AUTO) {
        arguments.addAll(List.of("--backend", backend.setting()));
      }
      if (force) {
        arguments.add("--force");
      }
      return StepwellHome.require().runScript("images/build", arguments);
    }
  }
}
