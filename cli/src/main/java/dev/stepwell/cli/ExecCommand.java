package dev.stepwell.cli;

import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.cli.process.Terminal;
import dev.stepwell.client.NoAnswerException;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs files as the steps of a session. */
@Command(
    name = "exec",
    description = {
      "Runs each FILE as one step of a session, in order, and prints the results.",
      "Without --bootstrap it brings a broker and a worker of its own."
    })
final class ExecCommand implements Callable<Integer> {
  /** Beyond the step's own time: waiting for a slot, state, and the way there and back. */
  private static final Duration ANSWER_MARGIN = Duration.ofMinutes(2);

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Kafka.")
  private @Nullable String bootstrap;

  @Option(
      names = "--backend",
      defaultValue = "auto",
      description =
          "auto, docker, bubblewrap or enroot, for its own worker. Default: ${DEFAULT-VALUE}")
  private BackendName backend;

  @Option(names = "--session", paramLabel = "ID", description = "Default: a new session.")
  private @Nullable String sessionId;

  @Option(names = "--profile", description = "The kind of sandbox. Default: the worker's.")
  private @Nullable String profile;

  @Option(names = "--timeout", description = "A step's wall-clock limit, such as 30s.")
  private @Nullable Duration timeout;

  @Option(names = "--shell", description = "The files are command lines for /bin/sh.")
  private boolean shell;

  @Option(
      names = "--prelude",
      paramLabel = "FILE",
      description = "Python source that runs before that of each step, as a part of it.")
  private @Nullable String preludeFile;

  private @Nullable String prelude;

  @Option(names = "--json", description = "Print result messages, one a line.")
  private boolean json;

  @Mixin private ExecFiles workspace = new ExecFiles();

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "- is standard input.")
  private List<String> files;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (shell && preludeFile != null) {
      throw new CommandException("--prelude is Python source, and steps of --shell have no Python");
    }
    // Read before anything is started, so that a wrong name costs nothing.
    List<Source> sources = new ArrayList<>();
    for (String file : files) {
      sources.add(read(file));
    }
    prelude = preludeFile == null ? null : readPrelude(preludeFile);
    Map<String, byte[]> put = workspace.read();
    if (bootstrap != null) {
      return run(bootstrap, put, sources);
    }
    List<String> profiles = profile == null ? List.of() : List.of(profile);
    try (LocalStack stack = LocalStack.start(LocalOptions.temporary(backend, profiles, 0))) {
      return run(stack.bootstrap(), put, sources);
    }
  }

  private int run(String kafka, Map<String, byte[]> put, List<Source> sources) throws IOException {
    int exitCode = ExitCodes.OK;
    try (Stepwell client =
        Stepwell.builder(kafka)
            .clientId("stepwell-exec")
            .answerTimeout(answerTimeout())
            .connect()) {
      Session session = sessionId == null ? client.newSession() : client.session(sessionId);
      session.files().put(put);
      PrintWriter out = spec.commandLine().getOut();
      StepPrinter printer = new StepPrinter(out, Terminal.colours());
      for (Source source : sources) {
        ExecutionResult result = session.run(step(source.text));
        if (json) {
          out.println(Json.line(result));
        } else {
          printer.step(source.name, source.text);
          printer.result(result);
        }
        exitCode = Math.max(exitCode, exitCode(result));
      }
      workspace.write(session.files());
      if (!json) {
        out.println(System.lineSeparator() + "session " + session.id());
      }
    } catch (NoAnswerException e) {
      throw new CommandException(e.getMessage() + "; is a worker running on " + kafka + "?", e);
    }
    return exitCode;
  }

  private Duration answerTimeout() {
    return timeout == null
        ? Duration.ofMinutes(10).plus(ANSWER_MARGIN)
        : timeout.plus(ANSWER_MARGIN);
  }

  private Step step(String source) {
    Step step = shell ? Step.shell(source) : Step.python(source);
    if (profile != null) {
      step = step.profile(profile);
    }
    if (prelude != null) {
      step = step.prelude(prelude);
    }
    return timeout == null ? step : step.wallTime(timeout);
  }

  private static int exitCode(ExecutionResult result) {
    if (result.outcome() == Outcome.INFRASTRUCTURE) {
      return ExitCodes.COULD_NOT_RUN;
    }
    boolean well =
        result.outcome() == Outcome.COMPLETED
            || (result.outcome() == Outcome.EXITED
                && result.exitCode() != null
                && result.exitCode() == 0);
    return well ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private static String readPrelude(String file) throws IOException {
    String text = read(file).text;
    if (text.isBlank()) {
      throw new CommandException(file + " is blank: there is no prelude in it");
    }
    return text;
  }

  private static Source read(String file) throws IOException {
    byte[] bytes;
    if (file.equals("-")) {
      bytes = System.in.readAllBytes();
    } else if (Files.exists(Path.of(file)) && !Files.isDirectory(Path.of(file))) {
      bytes = Files.readAllBytes(Path.of(file));
    } else {
      throw new CommandException("there is no file " + file);
    }
    try {
      return new Source(
          file, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new CommandException(file + " is no UTF-8, so it can't be sent", e);
    }
  }

  private record Source(String name, String text) {}
}
