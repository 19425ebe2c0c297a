package dev.stepwell.cli;

import dev.stepwell.cli.local.StepwellHome;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes what sandboxes run from, by the scripts in {@code images/}, which check their input. */
@Command(
    name = "images",
    description = "Makes, imports, lists and removes what sandboxes run from.",
    subcommands = {
      ImagesCommand.Build.class,
      ImagesCommand.Import.class,
      ImagesCommand.ListAll.class,
      ImagesCommand.Remove.class
    },
    synopsisSubcommandLabel = "(build | import | list | remove)")
final class ImagesCommand {
  /** The forms of an image. */
  enum Form {
    DOCKER,
    BUBBLEWRAP,
    ENROOT,
    ALL;

    String option() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** {@code --backend}, as every command but list has it. */
  static final class ForBackend {
    @Option(
        names = "--backend",
        paramLabel = "BACKEND",
        description = {
          "docker (an image), bubblewrap (a root folder), enroot (a squashfs file) or all.",
          "Without it: docker where an engine answers, else bubblewrap; remove takes all."
        })
    private @Nullable Form form;

    private void addTo(List<String> arguments) {
      addOption(arguments, "--backend", form == null ? null : form.option());
    }
  }

  private ImagesCommand() {}

  /** {@code images build}. */
  @Command(
      name = "build",
      description = {
        "Makes an image of NAME, once and for every backend that is asked for.",
        "plain and data come with Stepwell. A name of your own needs a recipe the first time, by the"
            + " options from --base to --install; it is kept for the next time."
      })
  static final class Build implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "plain, data, or a name of your own.")
    private String name;

    @Mixin private final ForBackend backend = new ForBackend();

    @Option(
        names = "--base",
        paramLabel = "BASE",
        description =
            "What it begins with: plain (the default), data, another image of your own, or a"
                + " reference such as python:3.12-slim.")
    private @Nullable String base;

    @Option(names = "--packages", paramLabel = "A,B", description = "Debian packages.")
    private List<String> packages = List.of();

    @Option(names = "--pip", paramLabel = "A,B", description = "Python packages.")
    private List<String> pip = List.of();

    @Option(
        names = "--install",
        paramLabel = "LINE",
        description = "A shell command line, run inside as root. May be given several times.")
    private List<String> install = List.of();

    @Option(
        names = "--from",
        paramLabel = "ORIGIN",
        description = "registry or debian: where plain and data come from.")
    private @Nullable String from;

    @Option(names = "--force", description = "Make it anew though it is there.")
    private boolean force;

    @Override
    public Integer call() {
      List<String> arguments = new ArrayList<>(List.of(name));
      backend.addTo(arguments);
      addOption(arguments, "--base", base);
      packages.forEach(each -> addOption(arguments, "--packages", each));
      pip.forEach(each -> addOption(arguments, "--pip", each));
      install.forEach(each -> addOption(arguments, "--install", each));
      addOption(arguments, "--from", from);
      if (force) {
        arguments.add("--force");
      }
      return StepwellHome.require().runScript("images/build", arguments);
    }
  }

  /** {@code images import}. */
  @Command(
      name = "import",
      description = "Makes an image of yours of one that there is; it must have CPython 3.11.")
  static final class Import implements Callable<Integer> {
    @Parameters(
        paramLabel = "SOURCE",
        description =
            "An image of the engine or of a registry, a root packed by tar, or a squashfs file.")
    private String source;

    @Option(
        names = "--as",
        paramLabel = "NAME",
        required = true,
        description = "What settings will call it.")
    private String name;

    @Mixin private final ForBackend backend = new ForBackend();

    @Option(names = "--force", description = "Replace an image that has a recipe.")
    private boolean force;

    @Override
    public Integer call() {
      List<String> arguments = new ArrayList<>(List.of(source, "--as", name));
      backend.addTo(arguments);
      if (force) {
        arguments.add("--force");
      }
      return StepwellHome.require().runScript("images/import", arguments);
    }
  }

  /** {@code images list}. */
  @Command(name = "list", description = "Shows which images there are, in which forms.")
  static final class ListAll implements Callable<Integer> {
    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      List<String> lines = StepwellHome.require().linesOfScript("images/list", List.of());
      PrintWriter out = spec.commandLine().getOut();
      List<ImageForm> forms = lines.stream().skip(1).map(ImageForm::parse).toList();
      (json ? ImageForm.jsonLines(forms) : ImageForm.table(forms)).forEach(out::println);
      return 0;
    }
  }

  /** {@code images remove}. */
  @Command(
      name = "remove",
      description = "Removes an image's forms, and its recipe with the last of them.")
  static final class Remove implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "One of those that list shows.")
    private String name;

    @Mixin private final ForBackend backend = new ForBackend();

    @Override
    public Integer call() {
      List<String> arguments = new ArrayList<>(List.of(name));
      backend.addTo(arguments);
      return StepwellHome.require().runScript("images/remove", arguments);
    }
  }

  private static void addOption(List<String> arguments, String option, @Nullable String value) {
    if (value != null) {
      arguments.addAll(List.of(option, value));
    }
  }
}
