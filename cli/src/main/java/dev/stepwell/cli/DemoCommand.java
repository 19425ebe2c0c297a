package dev.stepwell.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.cli.process.Terminal;
import dev.stepwell.client.Session;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows an agent's session from beginning to end, on nothing but this machine. */
@Command(
    name = "demo",
    description = "Starts a broker and a worker, runs a scripted session, and leaves nothing.")
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--backend",
      defaultValue = "auto",
      description = "auto, docker, bubblewrap or enroot. Default: ${DEFAULT-VALUE}")
  private BackendName backend;

  @Option(
      names = "--json",
      description = "Print one JSON object for each step, and one at the end.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    spec.commandLine().getErr().println("stepwell: starting a Kafka broker and a worker");
    try (LocalStack stack = LocalStack.start(LocalOptions.temporary(backend, List.of(), 0));
        Stepwell client = Stepwell.builder(stack.bootstrap()).clientId("stepwell-demo").connect()) {
      spec.commandLine().getErr().println("stepwell: backend " + stack.backendDescription());
      return run(client.newSession(), stack.backendDescription());
    }
  }

  private int run(Session session, String description) {
    StepPrinter printer = new StepPrinter(out(), Terminal.colours());
    List<String> faults = new ArrayList<>();
    Set<String> sandboxes = new HashSet<>();
    int number = 0;
    for (DemoStep step : DemoStep.SCRIPT) {
      number++;
      if (!json) {
        printer.step("step " + number + "  " + step.title(), step.source());
      }
      ExecutionResult result = session.run(step.step());
      String fault = step.fault(result);
      if (result.sandboxId() == null || !sandboxes.add(result.sandboxId())) {
        fault = "did not have a sandbox of its own";
      }
      if (fault != null) {
        faults.add("step " + number + " " + fault);
      }
      show(printer, step, result, fault == null);
    }
    summarize(printer, description, sandboxes.size(), faults);
    return faults.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private void show(StepPrinter printer, DemoStep step, ExecutionResult result, boolean good) {
    if (!json) {
      printer.result(result);
      return;
    }
    ObjectNode line = Json.object();
    line.put("title", step.title());
    line.put("asExpected", good);
    line.set("result", Json.tree(result));
    out().println(line);
  }

  private void summarize(
      StepPrinter printer, String description, int sandboxes, List<String> faults) {
    int steps = DemoStep.SCRIPT.size();
    if (json) {
      ObjectNode line = Json.object();
      line.put("ok", faults.isEmpty());
      line.put("steps", steps);
      line.put("sandboxes", sandboxes);
      line.put("backend", description);
      faults.forEach(line.putArray("faults")::add);
      out().println(line);
      return;
    }
    printer.rule();
    out()
        .println(
            faults.isEmpty()
                ? printer.styled("green", "all as it should be")
                    + ": %d steps of one session, in %d sandboxes, each used once"
                        .formatted(steps, sandboxes)
                : printer.styled("red", "not as it should be") + ": " + String.join("; ", faults));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
